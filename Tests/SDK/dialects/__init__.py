"""Three dialects in neutral terms: for each a strict provider, and a client that is the real SDK.

`answers` plans a provider's responses, and `questions` a client's requests. Each dialect's folder has the
provider's `rules` (refusals), its `wire` (response format), a `client`, and `reading`, the reverse of `client`.
"""
