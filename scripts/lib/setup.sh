# SPDX-License-Identifier: Apache-2.0
# Sourced by scripts/strobe, scripts/train, scripts/order-functions, scripts/test and scripts/coverage: install what is missing,
# configure, build. POSIX sh, Debian 12 or newer. Everything that is printed goes to standard error: one live line on a terminal,
# a plain log elsewhere.

root=$(CDPATH= cd -- "$(dirname -- "$0")/.." && pwd)

build_packages="g++ cmake ninja-build pkg-config libsystemc-dev nlohmann-json3-dev libboost-dev libboost-iostreams-dev libboost-context-dev libcli11-dev libfmt-dev libdw-dev libprotozero-dev nbdkit-plugin-dev ccache"
[ "$(uname -m)" != x86_64 ] || build_packages="$build_packages libxbyak-dev" # compiles code of the RV32 core
# Compiler, C library and debugger for firmware of the RV32 core: 155 MB to download, 1.2 GB on disk, nearly all of it the C
# library for other machines. Installed when something first needs it; STROBE_RV32=no never installs it.
rv32_packages="gcc-riscv64-unknown-elf picolibc-riscv64-unknown-elf gdb-multiarch"
# For commands that are written in Python; their own packages come from Python's index. Installed when such a command starts.
python_packages="python3 python3-venv"
# For `strobe linux`: what builds its kernel (138 MB of source), and what its guest runs.
kernel_packages="linux-source-6.1 gcc make flex bison bc xz-utils libc6-dev"
guest_packages="busybox-static e2fsprogs fio nvme-cli smartmontools sqlite3 util-linux mount"
# For scripts/order-functions.
order_packages="valgrind"
# For `strobe serve nbd`.
nbd_packages="nbdkit"
# nodejs runs the trace processor of the Python packages for tests, chromium shows the HTML reports, lcov (genhtml) the
# coverage of firmware.
test_packages="catch2 dpkg-dev make file python3 python3-venv nodejs chromium lcov clang-format clang-tidy git universal-ctags cscope $nbd_packages libnbd-bin fuse3 qemu-utils fio e2fsprogs"
[ "${STROBE_RV32:-yes}" = no ] || test_packages="$test_packages $rv32_packages"

say() { printf '%s\n' "$*" >&2; }

# --- progress -------------------------------------------------------------------------------------------------------------

if [ -t 2 ]; then is_live=yes; else is_live=no; fi
step=0
steps=1
step_title=
step_start=0
step_shown=0

# steps_are N: how many begin_step calls follow.
steps_are() {
    step=0
    steps=$1
}

begin_step() { # begin_step TITLE
    step=$((step + 1))
    step_title=$1
    step_start=$(date +%s)
    step_shown=0
    if [ $is_live = yes ]; then
        printf '\r\033[Kstrobe: step %s of %s: %s' "$step" "$steps" "$step_title" >&2
    else
        say "strobe: step $step of $steps: $step_title"
    fi
}

# progress DONE TOTAL: on a terminal each time; in a log at every tenth.
progress() {
    [ "$2" -gt 0 ] || return 0
    percent=$(($1 * 100 / $2))
    if [ $is_live = no ] && [ $percent -lt $((step_shown + 10)) ]; then
        return 0
    fi
    step_shown=$percent
    elapsed=$(($(date +%s) - step_start))
    left=
    if [ "$1" -gt 0 ] && [ $elapsed -ge 3 ] && [ "$1" -lt "$2" ]; then
        left=", about $((elapsed * ($2 - $1) / $1 + 1)) s left"
    fi
    if [ $is_live = yes ]; then
        printf '\r\033[Kstrobe: step %s of %s: %s: %s %%%s' "$step" "$steps" "$step_title" "$percent" "$left" >&2
    else
        say "strobe: step $step of $steps: $step_title: $percent %$left"
    fi
}

end_step() {
    elapsed=$(($(date +%s) - step_start))
    if [ $is_live = yes ]; then
        printf '\r\033[K' >&2
    fi
    say "strobe: step $step of $steps: $step_title: done in $elapsed s"
}

# fail LOG TEXT: what went wrong, and where the whole output is.
fail() {
    [ $is_live = no ] || printf '\r\033[K' >&2
    say "strobe: $2; the whole output is in $1"
    exit 2
}

# --- packages -------------------------------------------------------------------------------------------------------------

# missing PACKAGE…: prints those that are not installed.
missing() {
    for package in "$@"; do
        status=$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null || true)
        [ "$status" = installed ] || printf ' %s' "$package"
    done
}

# install PACKAGE…: as root, or with sudo. One step.
install() {
    if ! command -v apt-get >/dev/null 2>&1; then
        say "strobe: these Debian packages are needed, and there is no apt-get to install them: $*"
        exit 2
    fi
    as_root=
    if [ "$(id -u)" != 0 ]; then
        if ! command -v sudo >/dev/null 2>&1; then
            say "strobe: these packages are missing; install them as root, then run this again:"
            say "    apt-get install --no-install-recommends $*"
            exit 2
        fi
        as_root=sudo
        if ! sudo -n true 2>/dev/null && ! sudo -v; then
            say "strobe: sudo is refused; install these packages as root, then run this again:"
            say "    apt-get install --no-install-recommends $*"
            exit 2
        fi
    fi
    say "strobe: these packages come from the distribution: $*"
    begin_step "installing packages"
    log=$(mktemp)
    if ! $as_root apt-get update >"$log" 2>&1; then
        tail -n 20 "$log" >&2
        fail "$log" "the package lists could not be updated"
    fi
    # apt reports "dlstatus:…:PERCENT:…" while it downloads and "pmstatus:…:PERCENT:…" while it unpacks: a half each. The
    # descriptor is opened within sudo, which closes those of its caller, and is not 1, which apt would close for its scripts.
    {
        $as_root sh -c 'exec 3>&1 && DEBIAN_FRONTEND=noninteractive exec apt-get install -y --no-install-recommends \
            -o APT::Status-Fd=3 -o Dpkg::Use-Pty=0 "$@" 2>&1' sh "$@" </dev/null || echo "strobe-failed"
    } | while IFS= read -r line; do
        case $line in
        dlstatus:* | pmstatus:*)
            part=${line#*:*:}
            part=${part%%[.:]*}
            case $line in
            dlstatus:*) progress $((part / 2)) 100 ;;
            *) progress $((50 + part / 2)) 100 ;;
            esac
            ;;
        *) printf '%s\n' "$line" >>"$log" ;;
        esac
    done
    if grep -q '^strobe-failed$' "$log"; then
        tail -n 20 "$log" >&2
        fail "$log" "the installation failed"
    fi
    rm -f "$log"
    end_step
}

# --- building -------------------------------------------------------------------------------------------------------------

# The compiler for the RV32 core has been installed since that directory was configured.
has_new_compiler() { # has_new_compiler CACHE
    command -v riscv64-unknown-elf-gcc >/dev/null 2>&1 && ! grep -q '^STROBE_RV32_CC:FILEPATH=/' "$1"
}

# There are other counts (scripts/train) than when build/trained was configured.
has_new_counts() { # has_new_counts PRESET
    [ "$1" = trained ] && [ -f "$root/build/train/counted" ] && ! cmp -s "$root/build/train/counted" "$root/build/trained/counted"
}

# has_new_presets PRESET: they changed after the directory was configured, which alone would keep the old values.
has_new_presets() {
    [ -n "$(find "$root/CMakePresets.json" -newer "$root/build/$1/configure.log" 2>/dev/null)" ]
}

# must_configure PRESET tests|no-tests: not configured yet, or something has changed since. Tests can be added later.
must_configure() {
    cache=$root/build/$1/CMakeCache.txt
    [ ! -f "$root/build/$1/build.ninja" ] || has_new_presets "$1" || has_new_compiler "$cache" || has_new_counts "$1" ||
        { [ "$2" = tests ] && ! grep -q '^STROBE_TESTS:BOOL=ON' "$cache"; }
}

configure() { # configure PRESET tests|no-tests
    directory=$root/build/$1
    tests=OFF
    if [ "$2" = tests ] || grep -qs '^STROBE_TESTS:BOOL=ON' "$directory/CMakeCache.txt"; then
        tests=ON
    fi
    mkdir -p "$directory"
    if ! (cd "$root" && cmake --preset "$1" -DSTROBE_TESTS=$tests) >"$directory/configure.log" 2>&1; then
        tail -n 30 "$directory/configure.log" >&2
        fail "$directory/configure.log" "configuring build/$1 failed"
    fi
    if has_new_counts "$1"; then
        cp "$root/build/train/counted" "$directory/counted"
    fi
}

# must_build PRESET TARGET…
must_build() {
    directory=$root/build/$1
    shift
    ! ninja -C "$directory" -n "$@" 2>/dev/null | grep -q 'no work to do'
}

build() { # build PRESET TARGET…
    directory=$root/build/$1
    shift
    log=$directory/build.log
    : >"$log"
    { NINJA_STATUS='@%f/%t ' ninja -C "$directory" "$@" 2>&1 </dev/null || echo "strobe-failed"; } | while IFS= read -r line; do
        case $line in
        @*/*)
            counts=${line#@}
            counts=${counts%% *}
            progress "${counts%/*}" "${counts#*/}"
            ;;
        esac
        printf '%s\n' "$line" >>"$log"
    done
    if grep -q '^strobe-failed$' "$log"; then
        [ $is_live = no ] || printf '\r\033[K' >&2
        grep -E 'error|FAILED|warning' "$log" | head -n 40 >&2
        fail "$log" "the build failed"
    fi
}

# prepare PRESET tests|no-tests TARGET…: packages (in $packages), configuration and build, as far as each is needed; one step,
# and one more for packages.
prepare() {
    preset=$1
    tests=$2
    shift 2
    needed=$(missing $packages)
    if [ -z "$needed" ] && ! must_configure "$preset" "$tests" && ! must_build "$preset" "$@"; then
        steps=$((steps - 1))
        return 0
    fi
    if ! mkdir -p "$root/build" 2>/dev/null || [ ! -w "$root/build" ]; then
        say "strobe: $root/build cannot be written by this user (was it made with sudo?): remove it, or run this as root"
        exit 2
    fi
    if [ -n "$needed" ]; then
        steps=$((steps + 1))
        install $needed
    fi
    begin_step "building in build/$preset"
    if must_configure "$preset" "$tests"; then
        configure "$preset" "$tests"
    fi
    build "$preset" "$@"
    end_step
}

# --- Python ---------------------------------------------------------------------------------------------------------------

# Size of a group of scripts/python/pyproject.toml with all that it depends on.
python_size() {
    case $1 in
    report) echo "11 MB to download, 105 MB on disk" ;;
    sensitivity | test) echo "115 MB to download, 600 MB on disk" ;;
    *) echo "88 MB to download, 500 MB on disk" ;;
    esac
}

# has_python GROUP: build/python holds the packages that pyproject.toml lists now.
has_python() {
    cksum <"$root/scripts/python/pyproject.toml" | cmp -s - "$root/build/python/installed-$1"
}

# install_python GROUP: the group's packages into an environment of the source tree, build/python. One step, and one for
# packages of the distribution if some are missing.
install_python() {
    environment=$root/build/python
    needed=$(missing $python_packages)
    if [ -n "$needed" ]; then
        steps=$((steps + 1))
        install $needed
    fi
    begin_step "installing Python packages"
    log=$root/build/python.log
    mkdir -p "$root/build"
    if ! { [ -x "$environment/bin/pip" ] || python3 -m venv --clear "$environment"; } >"$log" 2>&1; then
        tail -n 20 "$log" >&2
        fail "$log" "the Python environment could not be made"
    fi
    if ! "$environment/bin/pip" install --editable "$root/scripts/python[$1]" >>"$log" 2>&1; then
        tail -n 20 "$log" >&2
        fail "$log" "the Python packages could not be installed"
    fi
    cksum <"$root/scripts/python/pyproject.toml" >"$environment/installed-$1"
    end_step
}

# provide_python GROUP: for a command that needs the group.
provide_python() {
    say "strobe: this command needs Python packages (group $1 of scripts/python/pyproject.toml; $(python_size "$1")), which go"
    say "strobe: into build/python and nowhere else (once; STROBE_PYTHON=no refuses them)."
    steps_are 1
    install_python "$1"
}
