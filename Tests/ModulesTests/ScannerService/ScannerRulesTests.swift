import ForsettiModuleKit
import Testing

@testable import ForsettiModules

@Suite struct ScannerRulesTests {
  private static let right: [(String, String?, String)] = [
    ("C02XL0ABJGH5", nil, "C02XL0ABJGH5"), ("  C02 XL0\r\n", nil, "C02 XL0"),
    ("\u{1B}[AC02\t\u{7F}", nil, "[AC02"),
    ("a\u{0}b\u{1D}c\u{9F}d", "qr", "abcd"), ("\u{202E}abc\u{2066}", nil, "abc"),
    ("Zoë’s Mac", "aztec", "Zoë’s Mac"),
    ("4006381333931", "ean13", "4006381333931"), ("4006381333931\r", "EAN13", "4006381333931"),
    ("73513537", "ean8", "73513537"), ("96385074", "ean8", "96385074"),
    ("15400141288763", "itf14", "15400141288763"),
    ("00012345600012", "itf14", "00012345600012"),
    ("04252614", "upce", "04252614"), ("01234565", "upce", "01234565"), ("01234133", "upce", "01234133"),
    ("01234543", "upce", "01234543"), ("FORSETTI-1 $/+%.", "code39", "FORSETTI-1 $/+%."),
    ("lower case", "code93", "lower case"), ("lower case", "code128", "lower case"), ("ü", "pdf417", "ü"),
    ("x", "datamatrix", "x"),
    (
      String(repeating: "x", count: ScanReading.limit), "qr", String(repeating: "x", count: ScanReading.limit)
    ),
  ]

  @Test("a scan is cleaned of control characters and found right", arguments: right)
  func accepted(text: String, symbology: String?, value: String) throws {
    let reading = try ScanReading(text, symbology: symbology)
    #expect(reading.value == value)
    #expect(reading.symbology?.rawValue == symbology?.lowercased())
  }

  private static let wrong: [(String, String?, ScanRefusal)] = [
    ("", nil, .empty), (" \r\n\t\u{0}", nil, .empty), ("\u{200E}", "qr", .empty),
    (String(repeating: "x", count: ScanReading.limit + 1), nil, .tooLong), ("1", "msi", .unknownSymbology),
    ("1", "", .unknownSymbology), ("4006381333932", "ean13", .checkDigit),
    ("4006381333391", "ean13", .checkDigit),
    ("400638133393", "ean13", .digitCount(expected: 13)),
    ("40063813339310", "ean13", .digitCount(expected: 13)),
    ("73513538", "ean8", .checkDigit), ("7351353", "ean8", .digitCount(expected: 8)),
    ("15400141288764", "itf14", .checkDigit), ("04252615", "upce", .checkDigit),
    ("24252614", "upce", .checkDigit),
    ("042526140", "upce", .digitCount(expected: 8)), ("400638133393x", "ean13", .foreignCharacter),
    ("٤٠٠٦٣٨١٣٣٣٩٣١", "ean13", .foreignCharacter), ("-73513537", "ean8", .foreignCharacter),
    ("lower", "code39", .foreignCharacter), ("ü", "code128", .foreignCharacter),
    ("ü", "code93", .foreignCharacter),
  ]

  @Test("a scan that can't be right is refused with its reason", arguments: wrong)
  func refused(text: String, symbology: String?, refusal: ScanRefusal) {
    #expect(throws: refusal) { try ScanReading(text, symbology: symbology) }
    #expect(!refusal.advice.isEmpty)
  }

  @Test("each single digit read wrongly is found, in every symbology with a check digit")
  func singleErrors() {
    for (number, symbology) in [
      ("4006381333931", "ean13"), ("73513537", "ean8"), ("15400141288763", "itf14"),
    ] {
      for place in number.indices {
        for digit in "0123456789" where digit != number[place] {
          var wrong = number
          wrong.replaceSubrange(place...place, with: String(digit))
          #expect(throws: ScanRefusal.checkDigit) { try ScanReading(wrong, symbology: symbology) }
        }
      }
    }
  }

  private static let short: [(String, String)] = [
    ("0425261", "04210000526"), ("0123456", "01234500006"), ("0123413", "01230000041"),
    ("0123454", "01234000005"),
    ("0123400", "01200000340"), ("1123452", "11220000345"), ("0999999", "09999900009"),
  ]

  @Test("UPC-E stands for the number without its zeros left out", arguments: short)
  func expansion(short: String, long: String) {
    let digits = { (text: String) in text.utf8.map { Int($0) - 0x30 } }
    #expect(CheckDigit.expandUPCE(digits(short)) == digits(long))
  }

  @Test(
    "what is no UPC-E stands for nothing",
    arguments: [[], [0, 1, 2], [2, 1, 2, 3, 4, 5, 6], [0, 1, 2, 3, 4, 5, 6, 7]])
  func noExpansion(digits: [Int]) { #expect(CheckDigit.expandUPCE(digits) == nil) }

  @Test("every symbology has a name that is read back") func names() {
    #expect(Symbology.allCases.count == 11)
    for symbology in Symbology.allCases { #expect(Symbology(rawValue: symbology.rawValue) == symbology) }
  }
}

@Suite struct ScanHistoryTests {
  private func entry(_ number: Int, _ source: String = "a") throws -> ScanHistory.Entry {
    ScanHistory.Entry(
      reading: try ScanReading("code \(number)", symbology: number.isMultiple(of: 2) ? "qr" : nil),
      source: source,
      time: Int64(number))
  }

  @Test("so many are kept, the newest of them") func limit() throws {
    var history = ScanHistory()
    for number in 0..<(ScanHistory.limit + 5) { history.add(try entry(number)) }
    #expect(history.entries.count == ScanHistory.limit)
    #expect(history.entries.first?.time == 5)
  }

  @Test("a module sees its own alone, newest first, as many as it asks for") func own() throws {
    var history = ScanHistory()
    for number in 0..<6 { history.add(try entry(number, number.isMultiple(of: 2) ? "a" : "b")) }
    #expect(history.latest(2, of: "a").map(\.time) == [4, 2])
    #expect(history.latest(9, of: "b").map(\.time) == [5, 3, 1])
    #expect(history.latest(0, of: "a").isEmpty)
    #expect(history.latest(-1, of: "a").isEmpty)
    #expect(history.latest(9, of: "c").isEmpty)
  }

  @Test("what was kept is read back the same, the longest texts too") func roundTrip() throws {
    var history = ScanHistory()
    for number in 0..<ScanHistory.limit {
      let text = "\(number)\"\\" + String(repeating: "ü", count: 2_000)
      history.add(.init(reading: try ScanReading(text, symbology: nil), source: "m", time: Int64(number)))
    }
    #expect(try ScanHistory(text: history.text) == history)
    #expect(history.text.utf8.count < 1 << 20, "storage takes values of 1 MiB")
  }

  @Test(
    "what is no history is refused",
    arguments: [
      "", "{}", "[1]", #"[{"value": "x", "source": "a"}]"#, #"[{"value": "", "source": "a", "time": 1}]"#,
      #"[{"value": "x", "source": "a", "time": -1}]"#,
      #"[{"value": "1", "symbology": "ean8", "source": "a", "time": 1}]"#,
    ])
  func refused(text: String) {
    #expect(throws: JSONFault.self) { try ScanHistory(text: text) }
  }
}

@Suite struct ScannerMessageTests {
  private func request(_ name: String, _ payload: [String: String] = [:]) throws -> ScannerRequest? {
    let event = try ForsettiEvent(
      type: ScannerRequest.prefix + name, payload: payload, sourceModuleID: "a", timestamp: 0)
    return ScannerRequest(type: event.type, payload: event.payload)
  }

  @Test("a question is read from its name and payload") func read() throws {
    #expect(try request("scan", ["text": "x"]) == .scan(text: "x", symbology: nil))
    #expect(try request("scan", ["text": "x", "symbology": "qr"]) == .scan(text: "x", symbology: "qr"))
    #expect(try request("scan") == .camera)
    #expect(try request("availability") == .availability)
    #expect(try request("history") == .history(count: 20))
    #expect(try request("history", ["count": "5"]) == .history(count: 5))
    #expect(try request("history", ["count": "500"]) == .history(count: 20))
    #expect(try request("history", ["count": "-5"]) == .history(count: 0))
    #expect(try request("history", ["count": "x"]) == .history(count: 20))
    #expect(try request("dance") == nil)
  }

  @Test("an answer says what was found, or what to do") func answers() throws {
    let reading = try ScanReading("73513537", symbology: "ean8")
    #expect(
      ScannerAnswer.accepted(reading).payload == [
        "status": "accepted", "value": "73513537", "symbology": "ean8",
      ])
    #expect(ScannerAnswer.refused(.checkDigit).payload["reason"] == "check_digit")
    #expect(ScannerAnswer.noCamera.payload["status"] == "unsupported")
    #expect(ScannerAnswer.availability.payload["symbologies"]?.split(separator: ",").count == 11)
  }
}
