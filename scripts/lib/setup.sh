# SPDX-License-Identifier: Apache-2.0
# Sourced by scripts/strobe, scripts/train and scripts/test: install what is missing, configure, build. POSIX sh, Debian 12 or newer.

root=$(CDPATH= cd -- "$(dirname -- "$0")/.." && pwd)

build_packages="g++ cmake ninja-build pkg-config libsystemc-dev nlohmann-json3-dev libboost-dev libboost-iostreams-dev libboost-context-dev libcli11-dev libfmt-dev libdw-dev ccache"
# Compiler and C library for the RV32 core's firmware: 155 MB to download, 1.2 GB on disk, nearly all of it the C library for
# machines that are not used here. STROBE_RV32=no does without; scenarios with firmware.mode=rv32 then need an image.
if [ "${STROBE_RV32:-yes}" != no ]; then
    build_packages="$build_packages gcc-riscv64-unknown-elf picolibc-riscv64-unknown-elf"
fi
test_packages="catch2 gdb-multiarch python3 python3-venv clang-format clang-tidy git"

say() { printf '%s\n' "$*" >&2; }

# install_missing PACKAGE…: quick when nothing is missing.
install_missing() {
    missing=
    for package in "$@"; do
        status=$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null || true)
        [ "$status" = installed ] || missing="$missing $package"
    done
    [ -n "$missing" ] || return 0
    if ! command -v apt-get >/dev/null 2>&1; then
        say "strobe: these Debian packages are needed and apt-get is not here to install them:$missing"
        exit 2
    fi
    as_root=
    if [ "$(id -u)" != 0 ]; then
        if ! command -v sudo >/dev/null 2>&1; then
            say "strobe: these packages are missing; install them as root, then run this again:"
            say "    apt-get install --no-install-recommends$missing"
            exit 2
        fi
        as_root=sudo
    fi
    say "strobe: installing from the distribution:$missing"
    log=$(mktemp)
    if ! { $as_root apt-get update && $as_root env DEBIAN_FRONTEND=noninteractive \
            apt-get install -y --no-install-recommends $missing; } >"$log" 2>&1; then
        tail -n 20 "$log" >&2
        say "strobe: the installation failed; its whole output is in $log"
        exit 2
    fi
    rm -f "$log"
}

# compiler_is_new CACHE: the RV32 compiler has been installed since that was configured.
compiler_is_new() {
    command -v riscv64-unknown-elf-gcc >/dev/null 2>&1 && ! grep -q '^STROBE_RV32_CC:FILEPATH=/' "$1"
}

# profile_is_new PRESET: there are other counts (train) than when that was configured.
profile_is_new() {
    [ "$1" = release ] && [ -f "$root/build/train/counted" ] &&
        ! cmp -s "$root/build/train/counted" "$root/build/release/counted"
}

# configure PRESET tests|no-tests: only if that has not been done; tests can be added to an existing directory.
configure() {
    preset=$1
    directory=$root/build/$preset
    cache=$directory/CMakeCache.txt
    tests=OFF
    [ "$2" = tests ] && tests=ON
    if [ -f "$directory/build.ninja" ] && { [ $tests = OFF ] || grep -q '^STROBE_TESTS:BOOL=ON' "$cache"; } &&
        ! compiler_is_new "$cache" && ! profile_is_new "$preset"; then
        return 0
    fi
    if [ -f "$cache" ] && grep -q '^STROBE_TESTS:BOOL=ON' "$cache"; then
        tests=ON
    fi
    mkdir -p "$directory"
    say "strobe: configuring $preset"
    if ! (cd "$root" && cmake --preset "$preset" -DSTROBE_TESTS=$tests) >"$directory/configure.log" 2>&1; then
        tail -n 30 "$directory/configure.log" >&2
        say "strobe: configuring failed; see $directory/configure.log"
        exit 2
    fi
    if profile_is_new "$preset"; then
        cp "$root/build/train/counted" "$directory/counted"
    fi
}

# build PRESET TARGET…: builds what changed. Its output is shown only if it fails.
build() {
    directory=$root/build/$1
    shift
    log=$directory/build.log
    if ! ninja -C "$directory" -n "$@" 2>/dev/null | grep -q 'no work to do'; then
        say "strobe: building in ${directory#"$root"/} (the first time takes a few minutes)"
        if ! ninja -C "$directory" "$@" >"$log" 2>&1; then
            grep -E 'error|FAILED|warning' "$log" | head -n 40 >&2
            say "strobe: the build failed; see $log"
            exit 2
        fi
    fi
}

# What the counts are taken from: streams and single pages, with and without garbage collection, every host interface and
# translation layer, natively and on the core; some 30 seconds.
training_bench="sequential-read-8x4 sequential-write-8x4 random-read-8x4 random-write-8x4 garbage-collection-8x4 steady-state-8x4
    sequential-read-16x16 sequential-write-16x16 full-drive-none rv32-random-read-8x4 rv32-steady-state-8x4"
training_scenarios="quickstart workloads/random-read workloads/debian-boot workloads/pc05-like-general-usage papers/ddr-nand/read
    papers/ddr-nand/write papers/hydra/sequential-read papers/hydra/random-write papers/hydra/general-usage papers/cps-sim/ftl
    papers/aging/drive papers/aging/pcm papers/di-ssd/read papers/di-ssd/write"

# train: counts for the preset release in build/train. Without them the program is built just so.
train() {
    directory=$root/build/train
    say "strobe: training the compiler: a build that counts what runs (a few minutes, once), then short runs, then the program itself"
    rm -f "$directory/counted"
    configure train no-tests
    build train strobe
    find "$directory" -name '*.gcda' -exec rm -f {} +
    log=$directory/training.log
    : >"$log"
    for name in $training_bench; do
        case $name in rv32*) [ -f "$directory/firmware/strobe_firmware_page_map.elf" ] || continue ;; esac
        "$directory/strobe" bench --quick --case "$name" >>"$log" 2>&1 || training_failed
    done
    for name in $training_scenarios; do
        "$directory/strobe" run "$root/scenarios/$name.json" >>"$log" 2>&1 || training_failed
    done
    date >"$directory/counted"
}

training_failed() {
    tail -n 5 "$log" >&2
    say "strobe: a training run failed; see $log. STROBE_TRAIN=no builds without training."
    exit 2
}

train_once() {
    if [ "${STROBE_TRAIN:-yes}" != no ] && [ ! -f "$root/build/train/counted" ]; then
        train
    fi
}
