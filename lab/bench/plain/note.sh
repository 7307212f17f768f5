#!/bin/sh
# A note's way with plain parts: asks for the file's address, fetches it, reads its samples, encodes them for the
# engine, has them recognised, answers.
# Usage: note.sh GRAPH ENGINE MEDIA_ID
set -e
folder=$(mktemp -d)
url=$(curl -sf "$1/v26.0/$3" | sed 's/.*"url":"\([^"]*\)".*/\1/')
curl -sf "$url" -o "$folder/note.ogg"
ffmpeg -v error -nostdin -i "$folder/note.ogg" -ar 16000 -ac 1 "$folder/note.wav"
ffmpeg -v error -nostdin -i "$folder/note.wav" -c:a libopus -b:a 32k "$folder/part.ogg"
text=$(curl -sf "$2/audio/transcriptions" -H 'expect:' -F model=whisper-1 -F "file=@$folder/part.ogg;type=audio/ogg" |
  sed 's/.*"text":"\([^"]*\)".*/\1/')
curl -sf "$1/v26.0/106540352242922/messages" -H 'content-type: application/json' -o "$folder/answer.json" \
  -d "{\"type\":\"text\",\"context\":{\"message_id\":\"plain\"},\"text\":{\"body\":\"$text\"}}"
rm -r "$folder"
