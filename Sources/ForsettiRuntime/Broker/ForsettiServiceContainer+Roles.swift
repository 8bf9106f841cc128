public import ForsettiCore
import ForsettiIPC

// The services that are provider roles as well.
extension ForsettiServiceContainer {
  /// Registers the shared database.
  public mutating func register(
    _ service: (any SharedDatabaseService).Type,
    _ make: @escaping @Sendable (ServiceCaller) -> any SharedDatabaseService
  ) {
    register(.sharedDatabase, make) { entry in
      entry.add(SharedDatabaseMethods.query, of: service) { (service, request) throws(ServiceError) in
        try await service.query(request)
      }
      entry.add(SharedDatabaseMethods.execute, of: service) { (service, request) throws(ServiceError) in
        try await service.execute(request)
      }
      entry.add(SharedDatabaseMethods.transaction, of: service) { (service, request) throws(ServiceError) in
        try await service.transaction(request)
      }
    }
  }

  /// Registers authentication.
  public mutating func register(
    _ service: (any AuthenticationService).Type,
    _ make: @escaping @Sendable (ServiceCaller) -> any AuthenticationService
  ) {
    register(.authentication, make) { entry in
      entry.add(AuthenticationMethods.identity, of: service) { (service, _) throws(ServiceError) in
        try await service.identity()
      }
      entry.add(AuthenticationMethods.issueToken, of: service) { (service, request) throws(ServiceError) in
        try await service.issueToken(audience: request.audience, lifetime: request.lifetime)
      }
      entry.add(AuthenticationMethods.verify, of: service) { (service, request) throws(ServiceError) in
        try await service.verify(request)
      }
    }
  }

  /// Registers diagnostics.
  public mutating func register(
    _ service: (any DiagnosticsService).Type,
    _ make: @escaping @Sendable (ServiceCaller) -> any DiagnosticsService
  ) {
    register(.diagnostics, make) { entry in
      entry.add(DiagnosticsMethods.emit, of: service) { (service, request) throws(ServiceError) in
        try await service.emit(request)
        return Nothing()
      }
      entry.add(DiagnosticsMethods.events, of: service) { (service, request) throws(ServiceError) in
        try await service.events(request)
      }
      entry.add(DiagnosticsMethods.export, of: service) { (service, request) throws(ServiceError) in
        Bytes(try await service.export(request.filter, format: request.format))
      }
    }
  }

  /// Registers the API.
  public mutating func register(
    _ service: (any APIService).Type, _ make: @escaping @Sendable (ServiceCaller) -> any APIService
  ) {
    register(.api, make) { entry in
      entry.add(APIMethods.request, of: service) { (service, request) throws(ServiceError) in
        try await service.request(request)
      }
    }
  }

  /// Registers security.
  public mutating func register(
    _ service: (any SecurityService).Type, _ make: @escaping @Sendable (ServiceCaller) -> any SecurityService
  ) {
    register(.security, make) { entry in
      entry.add(SecurityMethods.grants, of: service) { (service, _) throws(ServiceError) in
        try await service.grants()
      }
      entry.add(SecurityMethods.decision, of: service) { (service, request) throws(ServiceError) in
        try await service.decision(request)
      }
      entry.add(SecurityMethods.reportIncident, of: service) { (service, request) throws(ServiceError) in
        try await service.reportIncident(request.name, details: request.entries)
        return Nothing()
      }
    }
  }
}
