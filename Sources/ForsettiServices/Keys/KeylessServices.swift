import ForsettiCore

/// What stands in for the services that need the master key where there is none: each call says so.
struct KeylessServices: SecureStorageService, CryptoUtilitiesService, AuthenticationService {
  let caller: ServiceCaller
  let reason: MasterKeyError

  private var error: ServiceError { reason.serviceError }

  func set(_ value: [UInt8], forKey key: String, in store: String?) throws(ServiceError) { throw error }
  func value(forKey key: String, in store: String?) throws(ServiceError) -> [UInt8]? { throw error }
  func removeValue(forKey key: String, in store: String?) throws(ServiceError) { throw error }
  func keys(prefix: String, after cursor: String?, in store: String?) throws(ServiceError) -> [String] {
    throw error
  }

  func random(count: Int) throws(ServiceError) -> [UInt8] { throw error }
  func sha256(_ data: [UInt8]) throws(ServiceError) -> [UInt8] { throw error }
  func hmac(_ data: [UInt8], keyName: String) throws(ServiceError) -> [UInt8] { throw error }
  func seal(_ data: [UInt8], keyName: String, associated: [UInt8]) throws(ServiceError) -> [UInt8] {
    throw error
  }
  func open(_ sealed: [UInt8], keyName: String, associated: [UInt8]) throws(ServiceError) -> [UInt8] {
    throw error
  }
  func sign(_ data: [UInt8], keyName: String) throws(ServiceError) -> [UInt8] { throw error }
  func verify(_ signature: [UInt8], of data: [UInt8], keyName: String) throws(ServiceError) -> Bool {
    throw error
  }

  /// The one thing that needs no key.
  func identity() -> ModuleDescriptor { caller.manifest.descriptor }
  func issueToken(audience: String, lifetime: Int) throws(ServiceError) -> String { throw error }
  func verify(_ token: String) throws(ServiceError) -> [String: String] { throw error }
}
