"""Images and files through a translation."""

from dialects.answers import text
from dialects.questions import Image, Pdf, ask, data_url
from translation import way, ways  # noqa: F401  (fixtures)

PNG = Image(data_url("image/png", bytes(range(256))))
JPEG = Image(data_url("image/jpeg", b"\xff\xd8\xff"))
WEB = Image("https://example.org/a%20picture.png?size=1&x=%22")
PDF = Pdf("JVBERi0xLjQK", "paper.pdf")


def test_images_keep_their_place(way):  # noqa: F811
    way.ask(ask("First", PNG, "then", WEB, JPEG, "last."), text("Nice."))
    assert way.turns == [
        ("user", "First"), ("image", PNG.url), ("user", "then"), ("image", WEB.url), ("image", JPEG.url),
        ("user", "last.")]


def test_image_needs_no_words(way):  # noqa: F811
    way.ask(ask(PNG), text("Nice."))
    assert way.turns == [("image", PNG.url)]


def test_pdf_arrives_whole(way):  # noqa: F811
    way.ask(ask("Read this:", PDF), text("Long."))
    assert way.turns == [("user", "Read this:"), ("file", PDF.data)]
