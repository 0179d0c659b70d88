#!/usr/bin/env bash
# The page of the view: types, rules, unit tests, build; the built page in the tree must be the one of the sources; then real browsers.
# usage: tools/page.sh [check|sources|build|browser|ready]
# check: all of it (the default); sources: all but browsers; build: only writes page/built; ready: can it be built here?
# UMOV=path: browser tests against that program, too. PAGE_SCREENSHOTS=folder keeps pictures of them.
set -euo pipefail
cd "$(dirname "$0")/../page"
kind=${1:-check}
case $kind in
  check | sources | build | browser | ready) ;;
  *) echo "page: no such kind \"$kind\"; check, sources, build, browser or ready" >&2; exit 2 ;;
esac

command -v npm >/dev/null || { echo "page: no npm here; install node 20.19 or later from nodejs.org, or take the page as built" >&2; exit 4; }
if ! node -e 'const [a, b] = process.versions.node.split("."); process.exit(a > 20 || (a == 20 && b >= 19) ? 0 : 1)'; then
  echo "page: node $(node --version) is too old (vite needs 20.19 or later); install one from nodejs.org, or take the page as built" >&2
  exit 4
fi
[ "$kind" != ready ] || exit 0
if ! cmp -s package-lock.json node_modules/.lock; then
  echo "page: installing what package-lock.json names"
  npm ci --no-audit --no-fund --loglevel=error
  cp package-lock.json node_modules/.lock
fi

browser() {
  if [ -n "${CHROMIUM:-}" ] || command -v chromium >/dev/null; then
    echo "page: browser tests"
    npm run --silent browser
  else
    echo "page: no chromium here, no browser tests (tools/setup.sh page installs it)"
  fi
}

case $kind in
  build) npm run --silent build ;;
  browser) browser ;;
  check | sources)
    echo "page: types, rules, unit tests"
    npm run --silent types
    npm run --silent lint
    npm run --silent unit
    echo "page: build"
    before=$(cat built/index.html built/csp.txt 2>/dev/null | sha256sum)
    npm run --silent build
    if [ "$before" != "$(cat built/index.html built/csp.txt | sha256sum)" ]; then
      echo "page: page/built is not the page of these sources; it is now: commit it" >&2
      exit 1
    fi
    [ "$kind" = sources ] || browser ;;
esac
