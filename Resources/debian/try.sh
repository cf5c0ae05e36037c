# What a new user does with an installed Daybook; the trial runs it as one, with `sh -eu`.
cd

# Keys in a terminal of its own, and no terminal at all.
(sleep 1; printf 'aTyped on the screen\r'; sleep 1; printf 'q') | script -qec daybook /dev/null >/dev/null
daybook list --format json | grep -q 'Typed on the screen'
printf 'aPiped to the screen\rq' | daybook >/dev/null
daybook add '#home' Bought bread
[ "$(daybook list '#home' | grep -c 'Bought bread')" = 1 ]

# Sync with a second journal by way of a repository.
git config --global user.name Writer
git config --global user.email writer@example.org
daybook sync --remote "$HOME/remote.git"
daybook --journal other.sqlite sync --remote "$HOME/remote.git"
daybook --journal other.sqlite list | grep -q 'Piped to the screen'

# A sealed journal opens with its passphrase, and has no readable word.
echo 'four quite random words' >passphrase
daybook --journal secret.sqlite add 'An elephant in the room'
grep -q elephant secret.sqlite
DAYBOOK_PASSPHRASE_FD=3 daybook --journal secret.sqlite seal --yes 3<passphrase
if grep -q elephant secret.sqlite; then exit 1; fi
DAYBOOK_PASSPHRASE_FD=3 daybook --journal secret.sqlite list 3<passphrase | grep -q elephant

# A zip goes out and comes in.
daybook export -o all.zip
daybook --journal third.sqlite import all.zip
daybook --journal third.sqlite list | grep -q 'Bought bread'
