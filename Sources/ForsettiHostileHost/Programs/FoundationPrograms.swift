import Foundation

/// What a module that links Foundation does.
enum FoundationPrograms {
  struct Item: Codable, Equatable {
    var id: UUID
    var name: String
    var tags: [String]
    var score: Double
    var when: Date
  }

  static let all: [Program] = [
    Program("uuid") {
      let (first, second) = (UUID(), UUID())
      try expect(first != second, "two UUIDs are the same")
      try expect(!first.uuidString.hasPrefix("00000000-0000"), "a UUID is empty")
      return "\(first) \(second)"
    },
    Program("data_growth") {
      var data = Data()
      let block = Data(repeating: 0xa5, count: 1 << 20)
      while data.count < 200 << 20 { data.append(block) }
      return "\(data.count) bytes, last \(data[data.count - 1])"
    },
    Program("date_now") { "\(Date().timeIntervalSince1970 > 1_700_000_000)" },
    Program("date_text") { "\(Date(timeIntervalSince1970: 0))" },
    Program("date_format") {
      let date = Date(timeIntervalSince1970: 86_400)
      return "\(date.formatted(.iso8601)) \(date.formatted(date: .abbreviated, time: .shortened))"
    },
    Program("date_formatter") {
      let formatter = DateFormatter()
      formatter.dateFormat = "yyyy-MM-dd HH:mm:ss zzz"
      return formatter.string(from: Date(timeIntervalSince1970: 86_400))
    },
    Program("calendar") {
      let calendar = Calendar(identifier: .gregorian)
      let next = calendar.date(byAdding: .month, value: 1, to: Date(timeIntervalSince1970: 0))
      return "\(calendar.component(.month, from: next ?? .distantPast)) \(TimeZone.current.secondsFromGMT())"
    },
    Program("json_encode") {
      let item = Item(
        id: UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)), name: "Gerät",
        tags: ["a", "b"], score: 0.5, when: Date(timeIntervalSince1970: 0))
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys]
      encoder.dateEncodingStrategy = .iso8601
      return String(decoding: try encoder.encode(item), as: UTF8.self)
    },
    Program("json_decode") {
      let text = #"[{"id":1,"name":"x"},{"id":2,"name":"y"}]"#
      struct Row: Codable { var id: Int, name: String }
      let rows = try JSONDecoder().decode([Row].self, from: Data(text.utf8))
      return rows.map { "\($0.id)\($0.name)" }.joined(separator: ",")
    },
    Program("json_serialization") {
      let object = try JSONSerialization.jsonObject(with: Data(#"{"a":[1,2,{"b":null}]}"#.utf8))
      return "\((object as? [String: Any])?.count ?? 0)"
    },
    Program("regex_foundation") {
      let expression = try NSRegularExpression(pattern: "[0-9]+")
      let text = "a1b22c333"
      return "\(expression.numberOfMatches(in: text, range: NSRange(location: 0, length: 9)))"
    },
    Program("string_format") {
      "\(String(format: "%05d|%.3f|%@", 42, 2.5, "x")) \((1234.5).formatted())"
    },
    Program("string_tools") {
      let text = " one,two ,three ".trimmingCharacters(in: .whitespaces)
      return text.components(separatedBy: ",").joined(separator: "|").replacingOccurrences(
        of: "two", with: "2")
    },
    Program("base64_and_url") {
      let url = URL(string: "https://example.com/a%20b?c=d#e")
      return "\(Data("forsetti".utf8).base64EncodedString()) \(url?.path ?? "") \(url?.query ?? "")"
    },
    Program("decimal") { "\((Decimal(string: "0.1") ?? 0) + (Decimal(string: "0.2") ?? 0))" },
    Program("property_list") {
      let data = try PropertyListEncoder().encode(["a": 1, "b": 2])
      return "\(try PropertyListDecoder().decode([String: Int].self, from: data)["b"] ?? 0)"
    },
    Program("locale_and_compare") {
      "\("ä".localizedStandardCompare("b") == .orderedAscending) \(Locale.current.identifier.isEmpty)"
    },
    Program("thread_sleep") {
      // A module that blocks its one thread: bad manners, but no crime.
      @Sendable func block() { Thread.sleep(forTimeInterval: 0.01) }
      block()
      return "slept"
    },
  ]
}
