public import ForsettiCore
import ForsettiIPC

// One function a protocol: what a request means for the adapter. A test holds the table to the catalog of methods.
extension ForsettiServiceContainer {
  /// Registers requests to the network.
  public mutating func register(
    _ service: (any NetworkingService).Type,
    _ make: @escaping @Sendable (ServiceCaller) -> any NetworkingService
  ) {
    register(.networking, make) { entry in
      entry.add(NetworkingMethods.data, of: service) { (service, request) throws(ServiceError) in
        try await service.data(request)
      }
    }
  }

  /// Registers storage.
  public mutating func register(
    _ service: (any StorageService).Type, _ make: @escaping @Sendable (ServiceCaller) -> any StorageService
  ) {
    register(.storage, make) { entry in
      entry.add(StorageMethods.set, of: service) { (service, request) throws(ServiceError) in
        try await service.set(request.value, forKey: request.key, in: request.store)
        return Nothing()
      }
      entry.add(StorageMethods.value, of: service) { (service, request) throws(ServiceError) in
        try await service.value(forKey: request.key, in: request.store)
      }
      entry.add(StorageMethods.removeValue, of: service) { (service, request) throws(ServiceError) in
        try await service.removeValue(forKey: request.key, in: request.store)
        return Nothing()
      }
      entry.add(StorageMethods.keys, of: service) { (service, request) throws(ServiceError) in
        try await service.keys(prefix: request.prefix, after: request.cursor, in: request.store)
      }
    }
  }

  /// Registers secure storage.
  public mutating func register(
    _ service: (any SecureStorageService).Type,
    _ make: @escaping @Sendable (ServiceCaller) -> any SecureStorageService
  ) {
    register(.secureStorage, make) { entry in
      entry.add(SecureStorageMethods.set, of: service) { (service, request) throws(ServiceError) in
        try await service.set(request.value.bytes, forKey: request.key, in: request.store)
        return Nothing()
      }
      entry.add(SecureStorageMethods.value, of: service) { (service, request) throws(ServiceError) in
        try await service.value(forKey: request.key, in: request.store).map(Bytes.init)
      }
      entry.add(SecureStorageMethods.removeValue, of: service) { (service, request) throws(ServiceError) in
        try await service.removeValue(forKey: request.key, in: request.store)
        return Nothing()
      }
      entry.add(SecureStorageMethods.keys, of: service) { (service, request) throws(ServiceError) in
        try await service.keys(prefix: request.prefix, after: request.cursor, in: request.store)
      }
    }
  }

  /// Registers file export.
  public mutating func register(
    _ service: (any FileExportService).Type,
    _ make: @escaping @Sendable (ServiceCaller) -> any FileExportService
  ) {
    register(.fileExport, make) { entry in
      entry.add(FileExportMethods.export, of: service) { (service, request) throws(ServiceError) in
        try await service.export(request.data, suggestedFileName: request.suggestedFileName)
      }
    }
  }

  /// Registers telemetry.
  public mutating func register(
    _ service: (any TelemetryService).Type,
    _ make: @escaping @Sendable (ServiceCaller) -> any TelemetryService
  ) {
    register(.telemetry, make) { entry in
      entry.add(TelemetryMethods.track, of: service) { (service, request) throws(ServiceError) in
        try await service.track(request.name, properties: request.entries)
        return Nothing()
      }
    }
  }

  /// Registers cryptography.
  public mutating func register(
    _ service: (any CryptoUtilitiesService).Type,
    _ make: @escaping @Sendable (ServiceCaller) -> any CryptoUtilitiesService
  ) {
    register(.cryptoUtilities, make) { entry in
      entry.add(CryptoUtilitiesMethods.random, of: service) { (service, request) throws(ServiceError) in
        Bytes(try await service.random(count: request))
      }
      entry.add(CryptoUtilitiesMethods.sha256, of: service) { (service, request) throws(ServiceError) in
        Bytes(try await service.sha256(request.bytes))
      }
      entry.add(CryptoUtilitiesMethods.hmac, of: service) { (service, request) throws(ServiceError) in
        Bytes(try await service.hmac(request.data, keyName: request.keyName))
      }
      entry.add(CryptoUtilitiesMethods.seal, of: service) { (service, request) throws(ServiceError) in
        Bytes(try await service.seal(request.data, keyName: request.keyName, associated: request.companion))
      }
      entry.add(CryptoUtilitiesMethods.open, of: service) { (service, request) throws(ServiceError) in
        Bytes(try await service.open(request.data, keyName: request.keyName, associated: request.companion))
      }
      entry.add(CryptoUtilitiesMethods.sign, of: service) { (service, request) throws(ServiceError) in
        Bytes(try await service.sign(request.data, keyName: request.keyName))
      }
      entry.add(CryptoUtilitiesMethods.verify, of: service) { (service, request) throws(ServiceError) in
        try await service.verify(request.companion, of: request.data, keyName: request.keyName)
      }
    }
  }
}
