#!/bin/sh
# Plays the first move of the list, whatever it is. With the argument "last" it plays the last one.
while read -r line; do
    moves=${line#* moves }
    moves=${moves% time *}
    if [ "$1" = last ]; then
        echo "${moves##* }"
    else
        echo "${moves%% *}"
    fi
done
