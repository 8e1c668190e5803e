import Foundation
struct DecodingDiagnosis { init(error: DecodingError, document: Data, redacting: Set<String>) {} ; var lines: [String] { [] } }
struct ValueEncoder { enum N { case null, omitted }; init(nils: N) {} ; func encode(_ v: any Encodable) throws -> any Encodable { v } }
