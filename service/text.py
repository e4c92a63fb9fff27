"""Strangers' text, made fit to be shown: names, reasons, evidence and output that bots or their authors wrote."""


def harmless(text: str) -> str:
    """Return text with everything a terminal would obey, or that would reorder a line, shown as an escape."""
    return "".join(character if character.isprintable() else _escape(character) for character in text)


def _escape(character: str) -> str:
    code = ord(character)
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
