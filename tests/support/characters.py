"""What people see as one character, though it is several signs."""

WHOLE_EMOJI = (
    "\U0001f468\u200d\U0001f469\u200d\U0001f467\u200d\U0001f466",  # a family
    "\U0001f469\U0001f3fd\u200d\U0001f680",  # an astronaut with a colour of skin
    "\U0001f44d\U0001f3ff",
    "\u2764\ufe0f\u200d\U0001f525",  # a heart on fire
    "\U0001f3f3\ufe0f\u200d\U0001f308",  # the rainbow flag
    "\U0001f3f4\u200d\u2620\ufe0f",  # the flag of pirates
    "\U0001f3f4\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f",  # the flag of Scotland
    "\U0001f1e9\U0001f1ea",  # the flag of Germany
    "1\ufe0f\u20e3",
    "#\ufe0f\u20e3",
    "\u2660\ufe0f",
)
# What keeps letters apart, or joins them, is not seen itself.
JOINED_LETTERS = (
    "\u0639\u0644\u06cc\u200c\u0631\u0636\u0627",  # Alireza, in Persian
    "\u0dc1\u0dca\u200d\u0dbb\u0dd3",  # Sri, in Sinhala
)
CLUSTERS = (
    *WHOLE_EMOJI,
    JOINED_LETTERS[1],
    "e\u0301",
    "\u0e19\u0e49\u0e33",  # water, in Thai
    "\u0915\u094d\u0937\u093f",  # kshi, in Devanagari
    "\u1112\u1161\u11ab",  # han, in Korean, in parts
)
