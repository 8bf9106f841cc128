import ForsettiCore

/// Makes JSON text of an encoded item, the same that `JSONWriter` makes of what `JSONValue(control:)` reads, without making the
/// values: whoever passes a table on does not look into it.
enum CBORTranscoder {
  /// Appends the text of exactly one item.
  /// - Throws: what is wrong with the item; `expected` for byte strings and `unsupportedKey` for integer keys, which JSON can't
  ///   say. What was appended by then is of no use.
  static func json(
    _ bytes: Span<UInt8>, maximumItems: Int, into output: inout [UInt8]
  ) throws(CBORError) {
    var reader = CBORReader(bytes)
    var budget = maximumItems
    try reader.transcode(depth: 0, budget: &budget, limit: maximumItems, into: &output)
    try reader.finish()
  }
}

extension CBORReader {
  fileprivate mutating func transcode(
    depth: Int, budget: inout Int, limit: Int, into output: inout [UInt8]
  ) throws(CBORError) {
    let start = offset
    let head = try head()
    budget &-= 1
    if budget < 0 { throw CBORError(.tooManyItems(limit: limit), at: start) }
    switch head.major {
    case 0: output += String(head.argument).utf8
    case 1:
      guard let value = Int64(exactly: head.argument) else { throw CBORError(.outOfRange, at: start) }
      output += String(~value).utf8
    case 2: throw CBORError(.expected(.text), at: start)
    case 3: try quote(stringRange(head, at: start), at: start, into: &output)
    case 4:
      let count = try container(head, depth: depth, bytesPerItem: 1, at: start)
      output.append(UInt8(ascii: "["))
      for place in 0..<count {
        if place > 0 { output.append(UInt8(ascii: ",")) }
        try transcode(depth: depth &+ 1, budget: &budget, limit: limit, into: &output)
      }
      output.append(UInt8(ascii: "]"))
    case 5:
      let count = try container(head, depth: depth, bytesPerItem: 2, at: start)
      output.append(UInt8(ascii: "{"))
      try transcodeMembers(count, depth: depth, budget: &budget, limit: limit, into: &output)
      output.append(UInt8(ascii: "}"))
    case 6: throw CBORError(.unsupportedTag(head.argument), at: start)
    default: try appendSimple(head, at: start, to: &output)
    }
  }

  private mutating func transcodeMembers(
    _ count: Int, depth: Int, budget: inout Int, limit: Int, into output: inout [UInt8]
  ) throws(CBORError) {
    var previous: Range<Int>?
    for place in 0..<count {
      let start = offset
      guard let key = try skipKey(after: &previous) else { throw CBORError(.unsupportedKey, at: start) }
      budget &-= 1
      if budget < 0 { throw CBORError(.tooManyItems(limit: limit), at: start) }
      if place > 0 { output.append(UInt8(ascii: ",")) }
      try quote(key, at: start, into: &output)
      output.append(UInt8(ascii: ":"))
      try transcode(depth: depth &+ 1, budget: &budget, limit: limit, into: &output)
    }
  }

  /// Appends the text in `range`, which lies in the input.
  private func quote(_ range: Range<Int>, at start: Int, into output: inout [UInt8]) throws(CBORError) {
    guard range.allSatisfy({ JSONWriter.isOrdinary(bytes[$0]) }) else {
      output += JSONWriter.bytes(.string(try string(range, at: start)))
      return
    }
    output.append(UInt8(ascii: "\""))
    bytes.extracting(range).withUnsafeBufferPointer { output.append(contentsOf: $0) }
    output.append(UInt8(ascii: "\""))
  }

  private func appendSimple(_ head: Head, at start: Int, to output: inout [UInt8]) throws(CBORError) {
    switch head.information {
    case 20: output += "false".utf8
    case 21: output += "true".utf8
    case 22: output += "null".utf8
    case 25, 26, 27: output += JSONWriter.bytes(.number(try float(head, at: start)))
    default: throw CBORError(.unsupportedSimple(UInt8(truncatingIfNeeded: head.argument)), at: start)
    }
  }
}
