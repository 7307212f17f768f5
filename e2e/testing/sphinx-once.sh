#!/bin/sh
# PocketSphinx (`-infile FILE …`), which listens to each recording once: after that, the same samples with the same
# options get its words from the file that kept them. Listening was a third of the processor time of tests that send
# dozens of notes with one sentence. What it hears is tested where it is called (engines/sphinx.test.ts).
set -eu
file=$2
shift 2
kept=$(dirname "$0")/../../node_modules/.cache/voxscribe-sphinx
mkdir -p "$kept"
words=$kept/$({ echo "$@"; cat "$file"; } | sha1sum | cut -d ' ' -f 1)
if [ ! -e "$words" ]; then
  pocketsphinx_continuous -infile "$file" "$@" > "$words.$$"
  mv "$words.$$" "$words"
fi
cat "$words"
