#!/bin/sh
# Prints a line for each test, and exits with 1 when one fails.

count=0
failed=0

last_line() {
  printf "$1" | sh invoice.sh | tail -n 1
}

# check NAME INPUT EXPECTED
check() {
  count=$((count + 1))
  got=$(last_line "$2")
  if [ "$got" = "$3" ]; then
    echo "ok $count - $1"
  else
    failed=$((failed + 1))
    echo "not ok $count - $1"
    echo "  # expected: $3"
    echo "  # got:      $got"
  fi
}

check 'no lines' '' 'net 0.00, VAT 0.00, total 0.00'
check 'one line' 'Desk lamp;2;5000;19\n' 'net 100.00, VAT 19.00, total 119.00'
check 'two rates' 'Notebook;10;450;7\nCable box;4;1725;19\n' 'net 114.00, VAT 16.26, total 130.26'
check 'half a cent goes up' 'Pencil;1;50;19\n' 'net 0.50, VAT 0.10, total 0.60'
check 'each line is rounded' 'Pencil;1;45;19\nEraser;1;45;19\n' 'net 0.90, VAT 0.18, total 1.08'
check 'a line that is no item' 'Thank you!\n' 'net 0.00, VAT 0.00, total 0.00'

echo "1..$count"
[ "$failed" -eq 0 ]
