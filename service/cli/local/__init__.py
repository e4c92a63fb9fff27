"""`malice play`: bots from names, files and folders; fixtures played here; what came of them."""
