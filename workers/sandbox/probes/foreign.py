"""Makes a system call in a foreign calling convention: `int80` (32 bits) or `x32`. Nothing may come back."""

import ctypes
import mmap
import sys

X32_GETPID = 0x4000_0000 | 39
I386_GETPID = b"\xb8\x14\x00\x00\x00\xcd\x80\xc3"  # mov eax, 20; int 0x80; ret


def int80() -> int:
    """Run machine code that asks for the process id as a 32-bit program would."""
    page = mmap.mmap(-1, mmap.PAGESIZE, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, 7)
    page.write(I386_GETPID)
    code = ctypes.c_char.from_buffer(page)
    return int(ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(code))())


def x32() -> int:
    """Ask for the process id under the x32 numbers."""
    return int(ctypes.CDLL(None).syscall(ctypes.c_long(X32_GETPID)))


if __name__ == "__main__":
    print("came back with", {"int80": int80, "x32": x32}[sys.argv[1]]())
