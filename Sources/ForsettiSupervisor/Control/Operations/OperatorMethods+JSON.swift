import ForsettiCore
import ForsettiIPC

// The types of provider roles as a person writes and reads them.

extension APIRequest {
  /// `{"method": "GET", "path": "/v1/x", "query": {…}, "headers": {…}, "body": "text"}`; all but the path may be absent.
  init(operator json: JSONCursor) throws(JSONFault) {
    let path = try json.required("path")
    let text = try path.string()
    let normal: String
    do throws(APIPath.Fault) { normal = try APIPath.normalise(text) } catch {
      throw path.fault(error.rawValue)
    }
    self.init(
      method: try json.optional("method")?.string() ?? "GET", path: normal,
      query: try json.optional("query")?.fields() ?? [],
      headers: try json.optional("headers")?.fields() ?? [],
      body: Array((try json.optional("body")?.string() ?? "").utf8))
  }
}

extension APIResponse {
  var operatorJSON: JSONValue {
    .record([
      "status": .integer(status), "headers": .object(headers.map { ($0.name, .string($0.value)) }),
      "body": .operatorText(body),
    ])
  }
}

extension ModuleDescriptor {
  var operatorJSON: JSONValue {
    .record([
      "moduleID": .string(moduleID), "displayName": .string(displayName),
      "moduleVersion": .string(moduleVersion.description), "moduleType": .string(moduleType.rawValue),
    ])
  }
}

extension DiagnosticFilter {
  /// `{"source": …, "category": …, "atLeast": "warning", "since": 0, "limit": 100}`; everything may be absent.
  init(operator json: JSONCursor) throws(JSONFault) {
    self.init(
      source: try json.optional("source")?.string(), category: try json.optional("category")?.string(),
      atLeast: try json.optional("atLeast")?.oneOf(LogLevel.self, called: "a severity"),
      since: try json.optional("since")?.integer(in: 0...Int64.max),
      limit: Int(try json.optional("limit")?.integer(in: 1...1000) ?? 100))
  }
}

extension DiagnosticReport {
  var operatorJSON: JSONValue {
    .record([
      "time": .integer(time), "source": .string(source), "category": .string(category),
      "severity": .string(severity.rawValue), "message": .string(message), "metadata": metadata.json,
    ])
  }
}

extension SQLStatement {
  /// `{"sql": "SELECT ?", "parameters": [1]}`; numbers, texts and null.
  init(operator json: JSONCursor) throws(JSONFault) {
    var parameters: [SQLParameter] = []
    for item in try json.optional("parameters")?.array() ?? [] {
      switch item.value.content {
      case .null: parameters.append(.null)
      case .number(let number): parameters.append(number.integer.map { .integer($0) } ?? .real(number.double))
      case .string(let text): parameters.append(.text(text))
      case .bool, .array, .object: throw item.fault("a number, a text or null is meant")
      }
    }
    self.init(try json.required("sql").string(), parameters)
  }
}

extension SQLRows {
  var operatorJSON: JSONValue {
    .record([
      "columns": .strings(columns), "rows": .array(rows.map { .array($0.map(\.operatorJSON)) }),
    ])
  }
}

extension SQLParameter {
  fileprivate var operatorJSON: JSONValue {
    switch self {
    case .null: .null
    case .integer(let value): .integer(value)
    case .real(let value): .number(value)
    case .text(let text): .string(text)
    case .blob(let bytes): .operatorText(bytes)
    }
  }
}

extension JSONCursor {
  /// The members of an object of texts, as fields.
  fileprivate func fields() throws(JSONFault) -> [HTTPField] {
    var fields: [HTTPField] = []
    for member in try object() {
      let value = JSONCursor(member.value, pointer: pointer + "/" + member.key)
      fields.append(HTTPField(member.key, try value.string()))
    }
    return fields
  }
}

extension JSONValue {
  /// Bytes as text where they are text, else as an object with their hexadecimal digits.
  fileprivate static func operatorText(_ bytes: [UInt8]) -> JSONValue {
    if let text = String(validating: bytes, as: UTF8.self) { return .string(text) }
    return .record(["hex": .string(bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined())])
  }
}
