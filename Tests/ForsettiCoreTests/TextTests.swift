import ForsettiCore
import Foundation
import Testing

@Suite("Texts")
struct TextTests {
  @Test("equality is by scalars, not by canonical equivalence, in sets too")
  func scalars() {
    #expect("\u{E9}" == "e\u{301}")
    #expect(!"\u{E9}".hasSameScalars(as: "e\u{301}"))
    // The Kelvin sign is canonically a K of as many scalars, but of other bytes.
    #expect(!"\u{212A}".hasSameScalars(as: "K"))
    #expect(Set([ScalarText("\u{E9}"), ScalarText("e\u{301}"), ScalarText("\u{E9}")]).count == 2)
  }

  @Test(
    "blank is white space alone, trimming takes it from both ends",
    arguments: [
      ("", "", true), (" \t\n\u{B}\r", "", true), ("\u{2003}\u{A0}\u{3000}\u{85}", "", true),
      ("a", "a", false),
      (" a b ", "a b", false), ("\u{A0}é", "é", false), ("\u{200B}", "\u{200B}", false),
      ("\u{7F}", "\u{7F}", false), ("a\u{2028}", "a", false),
    ])
  func blank(text: String, trimmed: String, isBlank: Bool) {
    #expect(text.isBlank == isBlank)
    #expect(text.trimmedScalars.hasSameScalars(as: trimmed))
  }

  @Test("a text from outside is shown on one line, escaped and cut")
  func shown() {
    #expect("a\"\\\n\u{1B}\u{202E}é".quoted() == #""a\"\\\u{A}\u{1B}\u{202E}é""#)
    #expect("a\"\n".plain() == #"a"\u{A}"#)
    #expect("abcdef".quoted(limit: 3) == "\"abc…\"")
    #expect("abc".plain(limit: 3) == "abc")
  }

  @Test(
    "a word is quoted for the shell where it needs it",
    arguments: [
      ("/etc/forsetti-1.0/a_b", "/etc/forsetti-1.0/a_b"), ("root@host:1,2+3", "root@host:1,2+3"),
      ("a b", "'a b'"), ("$HOME", "'$HOME'"), ("it's;rm", #"'it'\''s;rm'"#), ("é", "'é'"), ("", "''"),
    ])
  func shellWord(text: String, word: String) { #expect(text.shellWord == word) }

  @Test("timestamps are right around leap days and clamped to four-digit years")
  func timestamps() {
    let formatter = ISO8601DateFormatter()
    formatter.formatOptions = [.withInternetDateTime, .withFractionalSeconds]
    let samples: [Int64] = [
      0, 951_782_400_000, 951_868_799_999, 1_709_164_800_000, 4_107_542_400_000, 4_102_444_799_999,
    ]
    for milliseconds in samples {
      let date = Date(timeIntervalSince1970: Double(milliseconds) / 1_000)
      #expect(timestampText(milliseconds) == formatter.string(from: date))
    }
    #expect(timestampText(.max) == "9999-12-31T23:59:59.999Z")
    #expect(timestampText(.min) == "1970-01-01T00:00:00.000Z")
  }
}
