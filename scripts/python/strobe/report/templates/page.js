// SPDX-License-Identifier: Apache-2.0
// Draws the charts of the block "charts" in the colours of the style sheet, again when the theme changes or the page is printed.
"use strict";
(() => {
    const charts = JSON.parse(document.getElementById("charts")?.textContent || "{}");
    const isDark = matchMedia("(prefers-color-scheme: dark)");
    const isPrinted = matchMedia("print");

    const color = (role) => getComputedStyle(document.documentElement).getPropertyValue("--" + role).trim();
    const withOpacity = (hex, opacity) =>
        `rgba(${[1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16)).join(",")},${opacity})`;

    // "@read" is the colour of reads, "@read/0.2" the same translucent, "@use" the scale of utilisation.
    function painted(value) {
        if (Array.isArray(value))
            return value.map(painted);
        if (value !== null && typeof value === "object")
            return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, painted(inner)]));
        if (typeof value !== "string" || value[0] !== "@")
            return value;
        if (value === "@use")
            return [[0, color("use-low")], [1, color("busy")]];
        const [role, opacity] = value.slice(1).split("/");
        return opacity === undefined ? color(role) : withOpacity(color(role), opacity);
    }

    const axis = () => ({gridcolor: color("line"), linecolor: color("line"), zerolinecolor: color("line"), automargin: true, fixedrange: false,
                         tickfont: {color: color("muted"), size: 12}, title: {font: {color: color("muted"), size: 12}, standoff: 8}});

    // On a phone a long legend is a column, all of which is shown above the bars.
    function makeRoomForLegend(layout, data, width) {
        const names = data.filter((trace) => trace.type === "bar" && trace.name).length;
        if (width >= 600 || names < 6)
            return;
        layout.legend = {...layout.legend, font: {size: 11}, entrywidth: width - 120, maxheight: 1000};
        layout.height += 17 * names - 30;
    }

    function layoutOf(chart) {
        const own = painted(chart.layout);
        const layout = {...own, height: chart.height, margin: {l: 8, r: 8, t: 8, b: 8, pad: 2, ...own.margin},
                        paper_bgcolor: "rgba(0,0,0,0)", plot_bgcolor: "rgba(0,0,0,0)", hovermode: own.hovermode || "closest",
                        font: {family: getComputedStyle(document.body).fontFamily, color: color("ink"), size: 12},
                        hoverlabel: {bgcolor: color("panel"), bordercolor: color("line"), font: {color: color("ink")}},
                        legend: {orientation: "h", x: 0, y: 1.02, yanchor: "bottom", font: {size: 12}, ...own.legend}};
        for (const key of Object.keys(own).filter((name) => /^[xy]axis/.test(name)).concat(["xaxis", "yaxis"])) {
            const base = axis();
            layout[key] = {...base, ...own[key], title: {...base.title, ...(own[key]?.title)}};
        }
        return layout;
    }

    // The page's own colours are dark on light when it is printed.
    function draw() {
        for (const place of document.querySelectorAll("[data-chart]")) {
            const chart = charts[place.dataset.chart];
            const data = painted(chart.data);
            for (const trace of data) {
                if (trace.colorbar)
                    trace.colorbar.tickfont = {color: color("muted")};
            }
            const layout = layoutOf(chart);
            makeRoomForLegend(layout, data, place.clientWidth);
            Plotly.react(place, data, layout, {displayModeBar: false, responsive: true});
        }
    }

    function filterKeys(box) {
        box.addEventListener("input", () => {
            const wanted = box.value.toLowerCase();
            for (const section of document.querySelectorAll("details.section")) {
                let found = 0;
                for (const row of section.querySelectorAll("tr[data-key]")) {
                    row.hidden = !row.dataset.key.includes(wanted);
                    found += row.hidden ? 0 : 1;
                }
                section.hidden = found === 0;
                section.open = wanted !== "" && found !== 0;
            }
        });
    }

    if (typeof Plotly !== "undefined") {
        draw();
        isDark.addEventListener("change", draw);
        isPrinted.addEventListener("change", draw);
        addEventListener("beforeprint", () => document.querySelectorAll("[data-chart]").forEach((place) => Plotly.Plots.resize(place)));
    }
    document.querySelectorAll("input[type=search]").forEach(filterKeys);
    document.documentElement.dataset.ready = "yes"; // for tests
})();
