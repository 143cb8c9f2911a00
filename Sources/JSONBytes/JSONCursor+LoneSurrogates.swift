extension JSONCursor {
    /// Whether some string of the next value, or a name in it, holds half of a surrogate pair: its text does not say
    /// which. The cap on depth bounds the recursion.
    package mutating func nextValueHasLoneSurrogate() throws(JSONError) -> Bool {
        switch try kind() {
        case .object:
            var found = false
            try beginObject()
            while let key = try nextKey() {
                if hasLoneSurrogate(key) { found = true }
                if try nextValueHasLoneSurrogate() { found = true }
            }
            return found
        case .array:
            var found = false
            try beginArray()
            while try nextElement() {
                if try nextValueHasLoneSurrogate() { found = true }
            }
            return found
        case .string: return hasLoneSurrogate(try string())
        case .number, .true, .false, .null:
            try skipValue()
            return false
        }
    }
}
