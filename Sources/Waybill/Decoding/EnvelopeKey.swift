import WaybillJSON

/// One step into a document: a key of an object, or a place in an array.
public typealias EnvelopeKey = WaybillJSON.EnvelopeKey
