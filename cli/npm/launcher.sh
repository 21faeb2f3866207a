#!/bin/sh
# The program `tiphys` of the npm package: becomes Deno of the same installation, with the bundled command line. If Deno is
# somewhere else, or its install script has not run yet, bin.cjs finds it, which costs the start of Node.js.
here=$(dirname "$(readlink -f "$0")")
for deno in "$here/node_modules/deno/deno" "$here/../deno/deno"; do
  if [ -x "$deno" ]; then
    exec "$deno" run --allow-all --no-prompt --no-config --no-lock --no-npm --no-remote "$here/lib/tiphys/main.js" "$@"
  fi
done
exec node "$here/bin.cjs" "$@"
