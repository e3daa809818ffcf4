"""Names and captions that are hard to draw."""

ODD = {
    "emoji": "\U0001f3b2\U0001f600",
    "arabic": "محمد",
    "cjk": "田中さん",
    "hangul": "한국",
    "long": "W" * 200,
    "many words": "ann and bob " * 40,
    "empty": "",
    "spaces": " \t\n ",
    "zero width": "\u200b\u200d\ufeff",
    "bidi": "\u202eevil\u202c",
    "stacked accents": "Z" + "\u0300\u0301\u0302" * 60,
    "surrogate": "\ud83d",
    "controls": "\x00\x07\x1b[0m",
    "line breaks": "a\nb\rc",
    "noncharacter": "\uffff\U0010ffff",
}
