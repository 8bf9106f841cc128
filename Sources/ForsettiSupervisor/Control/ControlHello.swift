import ForsettiCore
import ForsettiIPC

extension ControlHello {
  struct Answer: ControlRecord {
    var version = 0
    var product = ""

    mutating func visit(_ members: inout some ControlMembers) throws(ControlValueError) {
      try members("version", &version)
      try members("product", &product)
    }
  }

  /// What a connection is for; one that this supervisor does not know gives no right, rather than all.
  static func scope(_ request: Request) throws(ControlFailure) -> ControlScope? {
    guard let name = request.scope else { return nil }
    if let scope = ControlScope(rawValue: name) { return scope }
    throw ControlFailure(.invalidRequest, .usage, "scope: this supervisor knows no \(name.quoted())")
  }

  /// The version to speak with a client.
  static func answer(_ request: Request) throws(ControlFailure) -> Answer {
    let own = ControlLimits.versions
    guard let lowest = UInt16(exactly: request.lowest), let highest = UInt16(exactly: request.highest),
      lowest <= highest,
      let version = ProtocolRange(lowest: lowest, highest: highest).highestCommon(with: own)
    else {
      throw ControlFailure(
        .version, .unavailable,
        "this supervisor (\(ForsettiVersion.current)) speaks control protocol \(own.lowest) to \(own.highest), the "
          + "client \(request.lowest) to \(request.highest); use the client that came with it")
    }
    return Answer(version: Int(version), product: ForsettiVersion.current.description)
  }
}
