"""Three dialects in neutral terms. Each has a strict provider, and a client that is the real SDK.

`answers` plans a provider's responses, and `questions` a client's requests. Each dialect's folder has the provider's
`rules` (refusals), its `wire` (response format), and a `client`. `readings` is the reverse of `client`.
"""
