extension JSONCursor {
    /// Returns whether a string or a name in the next value has half of a surrogate pair. Decoded texts do not show
    /// which half it was.
    ///
    /// The limit of the depth also limits the recursion.
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
