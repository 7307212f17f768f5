#!/bin/sh
# guard.sh CPU_SECONDS|unlimited|trusted MEGABYTES lifeline|input PROGRAM [ARGUMENT]...
#
# Runs a program that may misbehave:
# - In its own process group: Ctrl-C in a terminal and a supervisor's stop do not reach it.
# - When memory runs out, Linux kills it, not the service.
# - With limits on processor time and memory, less priority than the services, and without our environment.
#   A `trusted` program has no limits and keeps the environment.
# - No longer than the service: a `lifeline` is a pipe on our standard input that closes when the service ends. An
#   `input` is the program's standard input, and its end the end of the program's work.
# - SIGUSR1 kills it at once.
# The status is the program's own, or 128 and the number of the signal that ended it. If it is not 0, the last lines
# on standard error come from `times`.
trap '' HUP INT QUIT TERM
program='' watcher='' stopped=''
stop() {
  stopped=yes
  [ -z "$program" ] || kill -9 -"$program" 2>/dev/null || kill -9 "$program" 2>/dev/null
}
trap stop USR1

cpu=$1 megabytes=$2 input=$3
shift 3
limit() {
  ulimit -c 0
  ulimit -d $((megabytes * 1000))
  ulimit -S -t "$cpu"
  [ "$cpu" = unlimited ] || ulimit -H -t $((cpu + 1))
}
if [ "$cpu" != trusted ]; then
  nice=$(command -v nice) && set -- "$nice" -n 5 "$@"
  # The channel between a worker and its parent.
  [ -z "$NODE_CHANNEL_FD" ] || set -- "NODE_CHANNEL_FD=$NODE_CHANNEL_FD" \
    "NODE_CHANNEL_SERIALIZATION_MODE=$NODE_CHANNEL_SERIALIZATION_MODE" "$@"
  set -- env -i "$@"
fi
# Not on macOS, where the program stays in our group.
group=$(command -v setsid)

exec 9<&0
{
  [ "$cpu" = trusted ] || limit 2>/dev/null
  { echo 1000 >/proc/self/oom_score_adj; } 2>/dev/null
  [ "$input" = input ] || exec </dev/null
  exec $group "$@" 9<&-
} <&9 &
program=$!
if [ "$input" = lifeline ]; then
  (read -r _ <&9; stop) >/dev/null 2>&1 &
  watcher=$!
fi
exec 9<&- </dev/null
[ -z "$stopped" ] || stop
wait $program
status=$?
[ -z "$watcher" ] || kill -9 $watcher
[ $status = 0 ] || times >&2
exit $status
