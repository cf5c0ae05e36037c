#!/bin/sh
# Draws the pictures of the README from the key scripts beside this file: draw.sh PROGRAM DIRECTORY.
# A fixed time, one time zone and English month names: the same program draws the same files.
set -eu
scripts=$(dirname "$0")
program=$1 directory=$2
export TZ=UTC LC_ALL=C.UTF-8

# play SCRIPT COLUMNSxLINES OPTIONS
play() {
  script=$scripts/$1.keys columns=${2%x*} lines=${2#*x}
  shift 2
  COLUMNS=$columns LINES=$lines "$program" demo "$script" --now 2026-11-21T17:40:00+00:00 \
    --force "$@" </dev/null >/dev/null
}

for paper in light dark; do
  play screen 116x26 --theme $paper --paper $paper --svg "$directory/screen-$paper.svg"
  play tour 96x24 --theme $paper --paper $paper --animation "$directory/tour-$paper.svg"
done
play theme 58x14 --theme light --svg "$directory/theme-light.svg"
play theme 58x14 --theme dark --paper dark --svg "$directory/theme-dark.svg"
play theme 58x14 --theme contrast --paper dark --svg "$directory/theme-contrast.svg"
play theme 58x14 --theme mono --svg "$directory/theme-mono.svg"
