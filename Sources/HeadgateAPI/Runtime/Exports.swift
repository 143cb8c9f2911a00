// What the generated code stands on, and speaks of in its API.
@_exported public import HeadgateOpenAPI
