# Money is counted in whole cents.

# The VAT on a net amount.
function vat(net, percent) {
  return int(net * percent / 100)
}

# 7980 as 79.80
function money(cents) {
  return sprintf("%d.%02d", int(cents / 100), cents % 100)
}
