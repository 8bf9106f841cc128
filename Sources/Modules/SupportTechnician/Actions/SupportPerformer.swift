internal import ForsettiModuleKit

/// Does what a procedure says, through the api role.
@MainActor
struct SupportPerformer {
  let jamf: JamfClient

  /// What came of it.
  enum Outcome: Sendable, Equatable {
    /// Jamf took an order, with the command it made of it, and what only the technician may know of it.
    case accepted(uuid: String?, SupportSecret?)
    /// Jamf gave a secret.
    case secret(SupportSecret)
    /// Something was read: one sentence.
    case told(String)
  }

  func perform(_ procedure: SupportProcedure) async throws(SupportFailure) -> Outcome {
    switch procedure {
    case .send(let attempts, let secret):
      return .accepted(uuid: try await send(attempts), secret)
    case .reveal(let attempts, let keys): return .secret(try await reveal(attempts, keys))
    case .revealLocalPassword(let managementID, let account):
      return .secret(try await localPassword(managementID, account))
    case .rotateLocalPasswords(let managementID):
      try await rotate(managementID)
      return .accepted(uuid: nil, nil)
    case .setLocalPassword(let managementID, let account, let secret):
      try await set(secret.value, of: account, managementID)
      return .accepted(uuid: nil, secret)
    case .countApplications(let attempts):
      let answer = try await read(attempts)
      guard let applications = answer["applications"]?.elements else {
        // Not the same as having none.
        return .told("Jamf Pro does not say which applications this Mac has.")
      }
      return .told("Jamf Pro knows \(applications.count) applications of this Mac.")
    }
  }

  // MARK: Orders

  /// What Jamf said to an order that it took.
  private struct Receipt {
    /// The command that it made of it.
    var uuid: String?
    /// Whether every device could be told.
    var isReached = true
  }

  /// Sends an order in the first way that Jamf takes, and gives the command that it made of it.
  private func send(_ attempts: SupportAttempts) async throws(SupportFailure) -> String? {
    var failure = JamfFailure.notFound("an order")
    for call in attempts.calls {
      let receipt: Receipt
      do throws(JamfFailure) { receipt = try await submit(call) } catch {
        failure = error
        guard attempts.rule.goesOn(after: error) else { break }
        continue
      }
      guard receipt.isReached else { throw .notReached }
      return receipt.uuid
    }
    throw SupportFailure(changing: failure)
  }

  private func submit(_ call: SupportCall) async throws(JamfFailure) -> Receipt {
    switch call.body {
    case .xml(let text):
      return Receipt(
        uuid: MDMOrder.commandUUIDs(inXML: try await jamf.send(call.method, call.path, xml: text)).first)
    case .form(let form):
      // What is answered is the file's ID, and no command.
      _ = try await jamf.upload(call.path, form)
      return Receipt()
    case .json(let json):
      return receipt(try await jamf.send(call.method, call.path, query: call.query, json: json))
    case .none: return receipt(try await jamf.send(call.method, call.path, query: call.query))
    }
  }

  private func receipt(_ answer: JSONValue) -> Receipt {
    Receipt(
      uuid: MDMOrder.commandUUIDs(in: answer).first,
      isReached: answer["errorUuids"]?.elements?.isEmpty ?? true)
  }

  // MARK: Secrets

  private func reveal(_ attempts: SupportAttempts, _ keys: SecretKeys) async throws(SupportFailure)
    -> SupportSecret
  {
    let answer: JSONValue
    do throws(SupportFailure) { answer = try await read(attempts) } catch {
      // No version of the call has it.
      if case .refused(.notFound) = error { throw .noSecret(keys.title) }
      throw error
    }
    guard let secret = keys.secret(in: answer) else { throw .noSecret(keys.title) }
    return secret
  }

  /// An answer to the first request that the server knows.
  private func read(_ attempts: SupportAttempts) async throws(SupportFailure) -> JSONValue {
    do throws(JamfFailure) { return try await SupportSearch(jamf: jamf).first(of: attempts) } catch {
      throw .refused(error)
    }
  }

  private func localPassword(_ managementID: String, _ account: String?) async throws(SupportFailure)
    -> SupportSecret
  {
    let accounts = try await localAccounts(managementID)
    guard let chosen = accounts.first(where: { account == nil || $0.username == account }),
      let username = SupportText.pathWord(chosen.username)
    else { throw .noLocalAccount }
    let base = LocalPasswords.path(managementID) + "/account/\(username)"
    let exact = chosen.guid.map { [SupportCall.get("\(base)/\($0)/password")] } ?? []
    return try await reveal(SupportAttempts(calls: exact + [.get("\(base)/password")]), .localPassword)
  }

  /// The local administrators that Jamf manages on a Mac.
  private func localAccounts(_ managementID: String) async throws(SupportFailure) -> [LocalPasswords.Account]
  {
    let answer = try await read(
      SupportAttempts(calls: [.get(LocalPasswords.path(managementID) + "/accounts")]))
    let accounts = LocalPasswords.accounts(in: answer)
    guard !accounts.isEmpty else { throw .noLocalAccount }
    return accounts
  }

  private func rotate(_ managementID: String) async throws(SupportFailure) {
    var dice = SystemRandomNumberGenerator()
    let names = Set(try await localAccounts(managementID).map(\.username)).sorted()
    try await write(names.map { ($0, SecretMaker.password(using: &dice)) }, managementID)
  }

  /// Sets the password of one local administrator, if Jamf manages it.
  private func set(_ password: String, of account: String, _ managementID: String)
    async throws(SupportFailure)
  {
    let names = try await localAccounts(managementID).map(\.username)
    guard let name = names.first(where: { $0.hasSameScalars(as: account) }) else {
      throw .otherLocalAccounts(names.map { $0.plain(limit: 60) })
    }
    try await write([(name, password)], managementID)
  }

  private func write(_ passwords: [(String, String)], _ managementID: String) async throws(SupportFailure) {
    do throws(JamfFailure) {
      _ = try await jamf.send(
        "PUT", LocalPasswords.path(managementID) + "/set-password", json: LocalPasswords.body(passwords))
    } catch { throw SupportFailure(changing: error) }
  }
}
