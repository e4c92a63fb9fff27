"""`python -m service.cli` is `malice`: how the supervisor starts its children whatever PATH says."""

from service.cli import main

main(prog_name="malice")
