import ForsettiBlocking
public import ForsettiCore

/// Who a module is, and tokens that say so.
public actor HostAuthenticationService: AuthenticationService {
  /// The longest life of a token, in seconds.
  private static let longestLifetime = 86_400
  private static let longestAudience = 256

  private let executor: BlockingExecutor
  private let issuer: TokenIssuer
  private let caller: ServiceCaller
  private let now: @Sendable () -> Int64

  /// A thread of the services: a signature takes tens of microseconds.
  public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  init(
    _ issuer: TokenIssuer, for caller: ServiceCaller, on executor: BlockingExecutor,
    now: @escaping @Sendable () -> Int64
  ) {
    self.issuer = issuer
    self.caller = caller
    self.executor = executor
    self.now = now
  }

  /// Who the supervisor says the module is.
  public func identity() -> ModuleDescriptor { caller.manifest.descriptor }

  /// An EdDSA JWT that names the module; `lifetime` in seconds, 1 to 86,400.
  public func issueToken(audience: String, lifetime: Int) throws(ServiceError) -> String {
    guard !audience.isBlank, audience.utf8.count <= Self.longestAudience,
      !audience.unicodeScalars.contains(where: \.isHidden)
    else {
      throw .invalidArgument(
        name: "audience", reason: "1 to \(Self.longestAudience) bytes are meant, without control characters")
    }
    guard (1...Self.longestLifetime).contains(lifetime) else {
      throw .invalidArgument(name: "lifetime", reason: "1 to \(Self.longestLifetime) seconds are meant")
    }
    return issuer.issue(
      subject: caller.moduleID, audience: audience, now: now() / 1_000, lifetime: Int64(lifetime))
  }

  /// The claims of a token this supervisor issued; `failed("invalid", …)` for every other. Whom the token is
  /// for (`aud`) is for the asking module to judge.
  public func verify(_ token: String) throws(ServiceError) -> [String: String] {
    do throws(TokenIssuer.Fault) { return try issuer.verify(token, now: now() / 1_000) } catch {
      throw .failed(code: "invalid", message: error.rawValue)
    }
  }
}
