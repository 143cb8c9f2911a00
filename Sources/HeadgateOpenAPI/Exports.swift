// What generated code is made of, so that it imports one module.
@_exported public import HTTPTypes
@_exported public import HeadgateHTTP
