package import ForsettiIPC
internal import Synchronization

/// The bridge between a module and its runtime (seed "Services Events and Diagnostics"): bound to one module and
/// what it was granted, and worth nothing once the module has stopped.
public final class ForsettiContext: Sendable {
  /// The module this context belongs to.
  public let moduleID: String
  /// The module's manifest, as the supervisor accepted it.
  public let manifest: ModuleManifest
  /// What the policy granted. Optional capabilities it denied are not here, so ask before you rely on one.
  public let grantedCapabilities: Set<Capability>
  /// Records of this module.
  public let logger: ForsettiModuleLogger
  /// The services it was granted.
  public let services: any ForsettiServiceProviding

  let events: ModuleEvents
  let calls: ModuleCalls
  private let outlet: any ModuleOutlet
  private let revoked = Atomic(false)

  /// Makes a context whose records and events go to `outlet`, and whose calls go nowhere.
  package convenience init(
    manifest: ModuleManifest, grants: some Sequence<Capability>, outlet: any ModuleOutlet
  ) {
    let calls = ModuleCalls(output: ModuleOutput(descriptor: -1))
    calls.close(.serviceUnavailable(role: "", why: "there is no supervisor"))
    self.init(manifest: manifest, grants: grants, outlet: outlet, calls: calls)
  }

  init(
    manifest: ModuleManifest, grants: some Sequence<Capability>, outlet: any ModuleOutlet, calls: ModuleCalls
  ) {
    self.moduleID = manifest.moduleID
    self.manifest = manifest
    self.grantedCapabilities = Set(grants)
    self.logger = ForsettiModuleLogger(moduleID: manifest.moduleID, destination: outlet)
    self.services = ModuleServices(grants: grantedCapabilities, calls: calls, logger: logger)
    self.events = ModuleEvents(moduleID: manifest.moduleID, logger: logger)
    self.calls = calls
    self.outlet = outlet
  }

  /// Whether the module has stopped, so that nothing can be published any more.
  public var isRevoked: Bool { revoked.load(ordering: .acquiring) }

  /// Publishes an event in this module's name; the supervisor decides who receives it.
  ///
  /// Returns once the event waits in this process for the supervisor, and suspends while there is no room for it.
  public nonisolated(nonsending) func publishEvent(
    type: String, payload: [String: String] = [:]
  ) async throws(ForsettiContextError) {
    try check(type: type, payload: payload)
    guard !isRevoked else { throw .contextRevoked(moduleID: moduleID) }
    try await outlet.publish(PublishMessage(type: type, payload: payload))
  }

  /// Ends the context: publishing throws `contextRevoked` from here on, open calls fail, and no handler is called
  /// again.
  package func revoke() {
    revoked.store(true, ordering: .releasing)
    calls.close(.serviceUnavailable(role: "", why: "\(moduleID) has stopped"))
    events.close()
  }

  /// The services, with another time that each call may take than the default of 30 seconds.
  public func services(timeout: Duration) -> any ForsettiServiceProviding {
    ModuleServices(grants: grantedCapabilities, calls: calls, logger: logger, timeout: timeout)
  }

  /// Answers that came after their call was cancelled or had timed out, and were dropped.
  public var lateAnswers: Int { calls.lateAnswers }

  /// The supervisor checks again; this is here so that the author hears of it where the mistake is.
  private func check(type: String, payload: [String: String]) throws(ForsettiContextError) {
    // Nearly every type begins with a letter, and needs no look at Unicode's tables.
    guard type.utf8.first.map({ 0x21...0x7E ~= $0 }) ?? false || type.contains(where: { !$0.isWhitespace })
    else { throw .blankEventType }
    if type.hasReservedPrefix("forsetti.") { throw .reservedEventType(type) }
    for key in payload.keys where key.hasReservedPrefix("_forsetti.") { throw .reservedPayloadKey(key) }
  }
}

/// What a context refuses.
public enum ForsettiContextError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The module has stopped.
  case contextRevoked(moduleID: String)
  case blankEventType
  /// Types under `forsetti.` are the framework's.
  case reservedEventType(String)
  /// Payload keys under `_forsetti.` are the framework's.
  case reservedPayloadKey(String)
  /// Type or payload break a limit of the protocol.
  case unsendableEvent(type: String, reason: String)

  /// One line for people.
  public var description: String {
    switch self {
    case .contextRevoked(let moduleID):
      "\(moduleID) has stopped; its context can publish nothing any more."
    case .blankEventType: "An event needs a type that is not blank."
    case .reservedEventType(let type):
      "\(type) is a type of the framework's; publish under the module's own ID."
    case .reservedPayloadKey(let key): "\(key) is a payload key of the framework's; choose another."
    case .unsendableEvent(let type, let reason): "The event \(type) can't be sent: \(reason)."
    }
  }
}

/// Where a context's records and events go.
package protocol ModuleOutlet: ForsettiLogger {
  /// Queues an event, and suspends while there is no room.
  nonisolated(nonsending) func publish(_ event: PublishMessage) async throws(ForsettiContextError)
}

extension String {
  /// Whether the text starts with `prefix` (ASCII, lower case), whatever its case and the white space before it.
  fileprivate func hasReservedPrefix(_ prefix: String) -> Bool {
    let isPlain = utf8.first.map { 0x21...0x7E ~= $0 } ?? false
    let text = (isPlain ? self[...] : drop(while: \.isWhitespace)).utf8.prefix(prefix.utf8.count)
    return text.elementsEqual(prefix.utf8) { $0 == $1 || ($0 | 0x20 == $1 && (0x41...0x5A).contains($0)) }
  }
}
