import ForsettiModuleKit
import Testing

/// A tree from its text.
func supportTree(_ text: String) throws -> JSONValue { try JSONParser.parse(Array(text.utf8)).root }
