// Modules that generated code uses, so that it imports only this one.
@_exported public import HTTPTypes
@_exported public import HeadgateHTTP
