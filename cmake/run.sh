#!/usr/bin/env bash
# The main job on real input: sets the machine up, builds, and lets an agent's session of several turns
# run through the real plugin in the real host, in a fresh directory. Shows what the tool answers and the
# plan after each step, and where the log lies.
#
#   bash cmake/run.sh
set -euo pipefail
cd "$(dirname "$0")/.."

case "$*" in
  '') ;;
  --help | -h)
    echo "usage: bash cmake/run.sh    (no arguments: builds, then shows an agent's plan through several turns)"
    exit 0
    ;;
  *)
    echo "run.sh: it takes no arguments, not $*; see bash cmake/run.sh --help" >&2
    exit 2
    ;;
esac

if [ -t 1 ] && [ -z "${NO_COLOR:-}" ] && [ "${TERM:-dumb}" != dumb ]; then
  bold=$'\e[1m' dim=$'\e[2m' red=$'\e[31m' plain=$'\e[0m'
else
  bold='' dim='' red='' plain=''
fi

say() { printf '\n%s%s%s\n' "$bold" "$*" "$plain"; }

bash cmake/setup.sh
. cmake/build.sh
build_tree release -- loader-sample dsh-tool-todo
loader=build/release/loader-sample/loader-sample
state=$(mktemp -d "${TMPDIR:-/tmp}/dsh-run-XXXXXX")
sessions=$state/sessions
# The host loads nothing from where others may write, as they may in a clone made under umask 002.
plugins=$state/plugins
(umask 022 && mkdir "$plugins" && cp build/release/plugin/dsh-tool-todo.so "$plugins")
export DSH_PLUGIN_PATH=$plugins
session=fix-the-parser

# A process of the host, spoken to line by line. Answers come in order, one for each line.
start_host() { coproc HOST { exec "$loader" run --sessions "$sessions" --cwd "$PWD"; }; }

end_host() {
  local status=0 process=$HOST_PID
  eval "exec ${HOST[1]}>&-"
  wait "$process" || status=$?
  [ "$status" -eq 0 ] || { echo "run.sh: the host ended with status $status" >&2; exit 1; }
}

# Sends a line; what it expects of the answer stands in it. Sets `answer`.
send() {
  printf '%s\n' "$1" >&"${HOST[1]}"
  IFS= read -r answer <&"${HOST[0]}" || { echo "run.sh: the host has gone" >&2; exit 1; }
  case $answer in
    '{"ok":true'*) ;;
    *) echo "run.sh: $answer" >&2; exit 1 ;;
  esac
}

append() { send '{"op":"session/append","session":"'$session'","type":"'"$1"'","data":'"$2"'}'; }

# Calls the tool as a model would, the list as [content status]…, and shows the answer and the plan.
write_list() {
  local items='' error=false
  if [ "$1" = --refused ]; then
    error=true
    shift
  fi
  while [ $# -gt 0 ]; do
    items+="${items:+,}"'{\"content\":\"'"$1"'\",\"status\":\"'"$2"'\"}'
    shift 2
  done
  send '{"op":"tool/call","name":"todo_write","session":"'$session'","arguments":"{\"todos\":['"$items"']}","expect":{"isError":'$error'}}'
  local text
  text=$(sed -E 's/.*"text":"(([^"\\]|\\.)*)".*/\1/; s/\\"/"/g' <<<"$answer")
  if [ $error = true ]; then text=$red$text$plain; fi
  printf '%stodo_write answers:%s %s\n' "$dim" "$plain" "$text"
  show_plan
}

show_plan() {
  echo
  "$loader" plan --session $session --sessions "$sessions"
}

say "Turn 1. The agent plans its work."
start_host
send '{"op":"session/create","session":"'$session'"}'
append turn/start '{"turn":1}'
write_list "Reproduce the crash" in_progress "Find its cause" pending "Fix the parser" pending "Run the tests" pending

say "It has reproduced the crash, and follows two traces at once."
write_list "Reproduce the crash" completed "Find its cause" in_progress "Fix the parser" pending \
  "Run the tests" pending "Check the older releases" in_progress

say "It sends a list that says the same thing twice: refused, and nothing changes."
write_list --refused "Find its cause" completed " Find its cause " in_progress

say "All is done."
write_list "Reproduce the crash" completed "Find its cause" completed "Fix the parser" completed \
  "Run the tests" completed "Check the older releases" completed
append turn/end '{"turn":1,"reason":{"kind":"completed"}}'

say "Turn 2. A new task: the former plan is no longer standing."
append turn/start '{"turn":2}'
show_plan
write_list "Write the release notes" in_progress "Tag the release" pending
append turn/end '{"turn":2,"reason":{"kind":"completed"}}'
end_host

say "A new process opens the session again: the plan is still there, and the work goes on."
start_host
send '{"op":"session/open","session":"'$session'"}'
show_plan
append turn/start '{"turn":3}'
write_list "Tag the release" in_progress
append turn/end '{"turn":3,"reason":{"kind":"completed"}}'
end_host

say "What each write changed:"
"$loader" plan --session $session --sessions "$sessions" --history

say "And the log is sound:"
"$loader" audit "$sessions"

say "The session's log: $(find "$sessions" -name session.jsonl)"
echo "Try: $loader plan --session $session --sessions $sessions --plugins $plugins"
