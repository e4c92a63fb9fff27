"""What may be uploaded, what is refused, and in which words."""

import io
import stat
import struct
import zipfile

import pytest

from service.bots.archive import Source, canonical_zip, read_upload
from service.bots.unpacking import UploadLimits
from service.refusals import RefusedError, TooLargeError
from tests.service.bots.zips import BOT, bomb, make_zip, zip_with_flag, zip_with_mode, zip_with_symlink


def unpacked(source: Source) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(source.archive)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def refusal(filename: str, data: bytes, language: str | None = None) -> str:
    with pytest.raises(RefusedError) as caught:
        read_upload(filename, data, language)
    assert caught.value.field in ("file", "language")
    return caught.value.message


@pytest.mark.parametrize("filename", ["main.py", "my bot.py", "Bot.PY", "C:\\bots\\one.py", "../../one.py"])
def test_a_single_source_file_of_any_name_becomes_the_entry(filename: str) -> None:
    source = read_upload(filename, BOT)
    assert (source.language, source.entry, source.files, source.size) == ("python", "main.py", 1, len(BOT))
    assert unpacked(source) == {"main.py": BOT}


def test_a_single_file_without_an_ending_needs_its_language_or_a_first_line_that_tells_it() -> None:
    assert "language=python" in refusal("bot", BOT)
    assert read_upload("bot", BOT, "python").entry == "main.py"
    assert read_upload("bot", b"#!/usr/bin/env python3\n" + BOT).language == "python"


def test_the_same_files_give_the_same_digest_however_they_were_packed() -> None:
    packings = [
        make_zip({"main.py": BOT, "lib/a.py": b"A = 1\n"}),
        make_zip({"lib/a.py": b"A = 1\n", "main.py": BOT}, zipfile.ZIP_STORED),
        make_zip({"mybot/main.py": BOT, "mybot/lib/a.py": b"A = 1\n", "mybot/lib/": b""}),
        make_zip(
            {"main.py": BOT, "lib/a.py": b"A = 1\n", "__MACOSX/._main.py": b"junk", "lib/.DS_Store": b"junk"}
        ),
        make_zip({"b/main.py": BOT, "b/lib/a.py": b"A = 1\n", "__MACOSX/b/._main.py": b"junk"}),
    ]
    assert len({read_upload("bot.zip", data).digest for data in packings}) == 1
    assert read_upload("bot.zip", make_zip({"main.py": BOT})).digest == read_upload("x.py", BOT).digest


def test_a_canonical_archive_read_again_is_itself() -> None:
    source = read_upload("bot.zip", make_zip({"main.py": BOT, "data/table.bin": bytes(range(256))}))
    assert read_upload("again.zip", source.archive) == source


def test_the_canonical_form_never_changes() -> None:
    # Digests of versions are published: a change here would make every stored source look new.
    assert (
        read_upload("main.py", BOT).digest
        == "42a638cdaecaf10aa8644b5718d00378c80557040446e5a6a5884879080ae5b6"
    )


def test_only_one_wrapping_folder_is_stripped() -> None:
    assert "top folder" in refusal("bot.zip", make_zip({"outer/inner/main.py": BOT}))


def test_a_manifest_names_language_entry_and_ladders() -> None:
    manifest = (
        b'language = "python"\nentry = "src/bot.py"\nladders = ["classic-25", "short-50", "classic-25"]\n'
    )
    source = read_upload("bot.zip", make_zip({"src/bot.py": BOT, "malice.toml": manifest}))
    assert (source.language, source.entry) == ("python", "src/bot.py")
    assert source.ladders == ("classic-25", "short-50")


@pytest.mark.parametrize(
    ("manifest", "words"),
    [
        (b"ladders = [", "not TOML"),
        (b"\xff\xfe", "not TOML"),
        (b"x = " + b"[" * 10_000, "not TOML"),
        (b'colour = "red"', "unknown field `colour`"),
        (b"ladders = 3", "ladders"),
        (b'ladders = ["No Such"]', "ladders"),
        (b'entry = "gone.py"', "not a file of the archive"),
        (b'entry = "../main.py"', "not a file of the archive"),
        (b'entry = "notes.txt"', "not a Python file"),
        (b'language = "klingon"', "no language known here"),
        (b'language = "rust"', "cannot run yet"),
        (b"#" * 20_000, "at most 16,384"),
    ],
)
def test_a_wrong_manifest_is_refused_with_what_is_wrong(manifest: bytes, words: str) -> None:
    data = make_zip({"main.py": BOT, "notes.txt": b"", "malice.toml": manifest})
    assert words in refusal("bot.zip", data)


def test_a_byte_order_mark_before_a_manifest_means_nothing() -> None:
    data = make_zip({"main.py": BOT, "malice.toml": b'\xef\xbb\xbfladders = ["short-50"]\r\n'})
    assert read_upload("bot.zip", data).ladders == ("short-50",)


def test_the_callers_language_overrides_the_manifest() -> None:
    data = make_zip({"main.py": BOT, "malice.toml": b'language = "klingon"'})
    assert read_upload("bot.zip", data, "python").language == "python"


@pytest.mark.parametrize(
    ("marker", "title"),
    [
        *[("main.c", "C"), ("main.cpp", "C++"), ("Cargo.toml", "Rust"), ("main.js", "JavaScript")],
        *[("Main.java", "Java"), ("main.wasm", "WebAssembly"), ("go.mod", "Go")],
    ],
)
def test_other_languages_are_recognised_and_refused_with_that_reason(marker: str, title: str) -> None:
    expected = f"this is {title}, which this service recognises but cannot run yet; send Python"
    assert refusal("bot.zip", make_zip({marker: b"x"})) == expected


@pytest.mark.parametrize("filename", ["bot.rs", "bot.c", "Bot.java", "bot.go", "bot.js", "bot.wasm"])
def test_a_single_file_of_another_language_is_refused(filename: str) -> None:
    assert "cannot run yet" in refusal(filename, b"fn main() {}")


@pytest.mark.parametrize(
    ("filename", "data", "language", "words"),
    [
        ("bot.zip", b"", None, "'bot.zip' is empty"),
        ("bot.zip", b"this is not a zip", None, "not a zip archive"),
        ("bot.zip", bytes(1000), None, "not a zip archive"),
        ("bot.tar.gz", b"\x1f\x8b\x08\x00", None, "is a gzip file; send a zip"),
        ("bot.7z", b"7z\xbc\xaf\x27\x1c", None, "is a 7-Zip file; send a zip"),
        ("bot.zip", make_zip({}), None, "holds no files"),
        ("bot.zip", make_zip({"empty/": b""}), None, "holds no files"),
        ("bot.zip", make_zip({"__MACOSX/._main.py": b"junk"}), None, "holds no files"),
        ("bot.zip", make_zip({"bot.py": BOT}), None, "name your program's first file main.py"),
        ("bot.zip", make_zip({"bot.py": BOT}), "python", "no main.py in the archive's top folder"),
        ("bot.zip", make_zip({"main.py": BOT, "main.c": b""}), None, "main.py and main.c"),
        ("main.py", BOT, "klingon", "'klingon' is no language known here"),
        ("main.py", BOT, "rust", "cannot run yet"),
        ("main.py", b"\x7fELF\0\0", None, "binary data"),
        ("bot.zip", make_zip({"main.py": BOT})[:-30], None, "its end is missing"),
        ("bot.zip", make_zip({"main.py": BOT})[:40], None, "its end is missing"),
        ("bot.zip", zip_with_symlink(), None, "'secrets.py' is a symbolic link"),
        ("bot.zip", zip_with_mode("tty", stat.S_IFCHR | 0o666), None, "'tty' is a device"),
        ("bot.zip", zip_with_mode("pipe", stat.S_IFIFO | 0o666), None, "'pipe' is a device, pipe or socket"),
        ("bot.zip", zip_with_flag("safe.py", 0x1), None, "'safe.py' is encrypted"),
        ("bot.zip", make_zip({"main.py": BOT}, zipfile.ZIP_LZMA), None, "use deflate"),
        ("bot.zip", make_zip({"main.py": BOT}, zipfile.ZIP_BZIP2), None, "use deflate"),
    ],
)
def test_what_cannot_be_used_is_refused_in_words_that_help(
    filename: str, data: bytes, language: str | None, words: str
) -> None:
    assert words in refusal(filename, data, language)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("../evil.py", "leads out of the archive"),
        ("lib/../../evil.py", "leads out of the archive"),
        ("..", "leads out of the archive"),
        ("__MACOSX/../evil.py", "leads out of the archive"),
        ("/etc/cron.d/evil", "absolute path"),
        ("C:/evil.py", "absolute path"),
        ("lib\\evil.py", "not a plain file name"),
        ("./evil.py", "not a plain file name"),
        ("lib//evil.py", "not a plain file name"),
        ("evil\n.py", "not a plain file name"),
        ("evil\u202e.py", "not a plain file name"),
        ("x" * 201, "longer than 200 bytes"),
    ],
)
def test_a_name_that_leads_elsewhere_is_refused_with_the_member_named(name: str, words: str) -> None:
    assert words in refusal("bot.zip", make_zip({"main.py": BOT, name: b"x"}))


def test_a_name_with_a_zero_byte_is_refused() -> None:
    data = make_zip({"main.py": BOT, "aXb.py": b"x"}).replace(b"aXb.py", b"a\0b.py")
    assert "'a\\x00b.py' is not a plain file name" in refusal("bot.zip", data)


def test_a_name_that_occurs_twice_is_refused() -> None:
    data = make_zip({"main.py": BOT, "aaa.py": b"1", "bbb.py": b"2"}).replace(b"bbb.py", b"aaa.py")
    assert "'aaa.py' is in the zip twice" in refusal("bot.zip", data)


def test_a_file_that_is_also_a_folder_is_refused() -> None:
    assert "'lib' is both a file and a folder" in refusal(
        "bot.zip", make_zip({"main.py": BOT, "lib": b"", "lib/a": b""})
    )


def test_a_member_whose_bytes_were_altered_is_refused() -> None:
    data = make_zip({"main.py": BOT}, zipfile.ZIP_STORED).replace(b"ready", b"reedy")
    assert "'main.py' in the zip is damaged" in refusal("bot.zip", data)


def test_a_bomb_is_refused_before_it_is_unpacked_with_the_member_named() -> None:
    data = bomb(200 << 20)
    assert len(data) < 1 << 20
    with pytest.raises(TooLargeError, match=r"'zeros\.bin' alone to 209,715,200"):
        read_upload("bot.zip", data)


def test_a_bomb_that_lies_about_its_size_is_refused() -> None:
    data = bytearray(bomb(1 << 20))
    # The claimed sizes, in the table of contents: the larger member claims 10 bytes.
    at = data.rfind(b"PK\x01\x02")
    struct.pack_into("<L", data, at + 24, 10)
    assert "zeros.bin' in the zip is damaged" in refusal("bot.zip", bytes(data))


def test_a_bomb_inside_the_archive_is_refused_with_its_name() -> None:
    data = make_zip({"main.py": BOT, "assets/inner.zip": bomb(60 << 20)})
    with pytest.raises(TooLargeError, match=r"'assets/inner\.zip' is an archive that unpacks"):
        read_upload("bot.zip", data)


def test_a_harmless_archive_inside_is_a_file_like_any_other() -> None:
    data = make_zip({"main.py": BOT, "library.zip": make_zip({"a.py": b""}), "odd.bin": b"PK\x03\x04 no zip"})
    assert read_upload("bot.zip", data).files == 3


def test_two_thousand_files_are_refused() -> None:
    files = {f"lib/m{number}.py": b"" for number in range(2_000)}
    with pytest.raises(TooLargeError, match="2,001 files; at most 1,000"):
        read_upload("bot.zip", make_zip({"main.py": BOT, **files}))


def test_a_table_of_contents_that_would_fill_memory_is_refused_unparsed() -> None:
    files = {f"{number:0100}": b"" for number in range(8_000)}
    with pytest.raises(TooLargeError, match="table of contents"):
        read_upload("bot.zip", make_zip(files))


def test_an_upload_over_the_limit_is_refused_whatever_it_is() -> None:
    limits = UploadLimits(packed=100)
    with pytest.raises(TooLargeError, match=r"'main\.py' is 101 bytes; at most 100"):
        read_upload("main.py", b"#" * 101, limits=limits)


def test_packing_orders_names_and_forgets_dates() -> None:
    assert canonical_zip({"b": b"2", "a": b"1"}) == canonical_zip({"a": b"1", "b": b"2"})
