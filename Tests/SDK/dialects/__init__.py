"""Three dialects of one thing: per dialect a strict provider and a client that is the real SDK, in neutral terms.

`answers` says what a provider shall answer and `questions` what a client asks. Each dialect's folder has the provider's
`rules` (what it refuses), its `wire` (how it says an answer), a `client` and the reverse of the latter, `reading`.
"""
