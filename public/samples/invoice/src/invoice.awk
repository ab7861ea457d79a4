# Reads item;quantity;price;percent and prints the invoice.

BEGIN { FS = ";" }

NF == 4 {
  net = $2 * $3
  tax = vat(net, $4)
  sum += net
  taxes += tax
  printf "%-20s %3d %10s\n", $1, $2, money(net)
}

END {
  printf "net %s, VAT %s, total %s\n", money(sum), money(taxes), money(sum + taxes)
}
