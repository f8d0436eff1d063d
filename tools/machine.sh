#!/bin/sh
# What the tests need from the machine beside Python: a Chromium, strace, curl and bubblewrap. Says nothing where all
# are there, installs what is missing where it may (apt-get, as root), and otherwise stops with one line.
set -eu

have() {
    for name; do
        if command -v "$name" >/dev/null 2>&1; then return 0; fi
    done
    return 1
}

missing() {
    have chromium-headless-shell chromium chromium-browser google-chrome || printf ' chromium-headless-shell'
    have strace || printf ' strace'
    have curl || printf ' curl'
    have bwrap || printf ' bubblewrap'
}

packages=$(missing)
if [ -z "$packages" ]; then exit 0; fi

if have apt-get && [ "$(id -u)" = 0 ]; then
    echo "Installing$packages for the tests (once)..."
    # Each package is a word of its own.
    # shellcheck disable=SC2086
    if ! said=$(export DEBIAN_FRONTEND=noninteractive && apt-get -qq update 2>&1 &&
        apt-get -qq install --yes --no-install-recommends $packages 2>&1); then
        printf '%s\n' "$said" >&2
    fi
    packages=$(missing)
    if [ -z "$packages" ]; then exit 0; fi
fi

echo "The tests need$packages, which this machine lacks. On Debian or Ubuntu, as root: apt install$packages" >&2
exit 1
