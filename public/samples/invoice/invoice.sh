#!/bin/sh
# Reads lines and prints the invoice.

awk "$(cat src/money.awk src/invoice.awk)"
