public import ForsettiHTTP

// Core has types of the plain names, for the requests of modules.

/// A request to the simulated server.
public typealias ServerRequest = ForsettiHTTP.HTTPRequest
/// An answer of the simulated server.
public typealias ServerResponse = ForsettiHTTP.HTTPResponse
