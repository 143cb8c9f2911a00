// The modules that the generated code uses, and names in its API.
@_exported public import HeadgateOpenAPI
