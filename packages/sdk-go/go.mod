module runhook

go 1.24
