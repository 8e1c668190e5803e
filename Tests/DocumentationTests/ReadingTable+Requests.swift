// Clauses of a request.
nonisolated extension ReadingTable {
    static let requests: [Row] = [
        Row(
            "Query",
            document: .read(
                "WaybillDescriptionTests/OpenAPI/OpenAPITests",
                "Parameters have their names, types, styles and examples"
            ),
            mock: .read(
                "WaybillDescriptionTests/Mock/MockDispatchTests",
                "Calls on one path that differ in constant query items get responses of their types"
            ),
            comparison: .compared,
            drift: .ofRequest,
            recording: .matched
        ),
        Row(
            "Header",
            document: .read(
                "WaybillDescriptionTests/OpenAPI/OpenAPITests",
                "Parameters have their names, types, styles and examples"
            ),
            mock: .read(
                "WaybillDescriptionTests/Mock/MockResponseTests",
                "A call that streams JSON texts gets them in the declared format"
            ),
            comparison: .compared,
            drift: .ofRequest,
            recording: .field
        ),
        Row(
            "IfMatch",
            document: .described,
            mock: .read(
                "WaybillDescriptionTests/Mock/MockServerTests",
                "A request whose precondition fails gets 412, and one whose precondition holds succeeds"
            ),
            comparison: .compared,
            drift: .ofRequest,
            recording: .field
        ),
        Row(
            "IfNoneMatch",
            document: .described,
            mock: .read(
                "WaybillDescriptionTests/Mock/MockBodyPlaceTests",
                "An upsert to a mock server creates an entity with a new id and replaces one with a known id"
            ),
            comparison: .compared,
            drift: .ofRequest,
            recording: .field
        ),
        Row(
            "IfModifiedSince",
            document: .described,
            mock: .undated,
            comparison: .compared,
            drift: .ofRequest,
            recording: .field
        ),
        Row(
            "IfUnmodifiedSince",
            document: .described,
            mock: .undated,
            comparison: .compared,
            drift: .ofRequest,
            recording: .field
        ),
        Row(
            "IdempotencyKey",
            document: .read(
                "WaybillDescriptionTests/OpenAPI/OpenAPITests",
                "An idempotency key is a header parameter"
            ),
            mock: .read(
                "WaybillStoreTests/Servers/MockedKeyTests",
                "A repeated key with the same body returns the first response, and with another body 422"
            ),
            comparison: .compared,
            drift: .ofRequest,
            recording: .notRead("The key is left out of the file.")
        ),
        Row(
            "Call.Name",
            document: .read(
                "WaybillDescriptionTests/OpenAPI/MergedOperationTests",
                "Calls that differ in query items are one operation with all items and responses"
            ),
            mock: .read(
                "WaybillDescriptionTests/Mock/MockDispatchTests",
                "Named calls are also distinguished, by a server and by a stub"
            ),
            comparison: .read(
                "WaybillDescriptionTests/Comparison/DocumentComparisonTests",
                "Calls that share an operation have separate findings, and identical findings are merged"
            ),
            drift: .named,
            recording: .sentRequest
        ),
    ]

    static let bodies: [Row] = [
        Row(
            "Body",
            document: .read(
                "WaybillDescriptionTests/OpenAPI/SentTypeTests",
                "A whole number has the type of its property"
            ),
            mock: .read(
                "WaybillDescriptionTests/Mock/MockServerTests",
                "Invalid bodies are rejected and change nothing"
            ),
            comparison: .compared,
            drift: .ofRequest,
            recording: .matched
        ),
        Row(
            "Body.Member",
            document: .read("WaybillDescriptionTests/OpenAPI/SentTypeTests", "Members alone have their types"),
            mock: .read(
                "WaybillDescriptionTests/Mock/MockRootTests",
                "Calls at the root are distinguished by the method in their bodies"
            ),
            comparison: .compared,
            drift: .ofRequest,
            recording: .matched
        ),
        Row(
            "Multipart",
            document: .read(
                "WaybillDescriptionTests/OpenAPI/OpenAPITests",
                "A multipart form lists its parts with their media types"
            ),
            mock: .read(
                "WaybillDescriptionTests/Mock/MockDispatchTests",
                "A JSON create and a multipart upload on one path get separate responses"
            ),
            comparison: .compared,
            drift: .ofRequest,
            recording: .matched
        ),
        Row(
            "Body.Format",
            document: .read(
                "WaybillDescriptionTests/OpenAPI/MergedOperationTests",
                "An encode-only body has the media type in which it is sent"
            ),
            mock: .read(
                "WaybillDescriptionTests/Mock/MockCodingTests",
                "A form body is read with its types, lists and dates"
            ),
            comparison: .compared,
            drift: .ofRequest,
            recording: .matched
        ),
        Row(
            "Body.Differences",
            document: .generatedPatch,
            mock: .notRead(
                "A mock applies merge patches. A difference in the form of a JSON Patch is rejected."
            ),
            comparison: .generatedPatch,
            drift: .ofRequest,
            recording: .matched
        ),
        Row(
            "Encode",
            document: .keys,
            mock: .coding,
            comparison: .compared,
            drift: .ofRequest,
            recording: .matched
        ),
        Row(
            "Compressed",
            document: .unlistedCoding,
            mock: .read(
                "WaybillDescriptionTests/Readings/ClauseReadingTests",
                "A mock rejects a coded body and then receives it without the coding"
            ),
            comparison: .unlistedCoding,
            drift: .ofRequest,
            recording: .read(
                "WaybillTestingTests/Recording/RecordedCodingTests",
                "A compressed body is recorded uncompressed and without secrets, and matches in a replay"
            )
        ),
        Row(
            "Resumable",
            document: .oneRequest,
            mock: .notRead("A mock does not understand requests that continue an upload."),
            comparison: .oneRequest,
            drift: .ofRequest,
            recording: .sending
        ),
    ]
}

// Clauses for identities and secrets.
nonisolated extension ReadingTable {
    static let credentials: [Row] = [
        Row(
            "Authorization",
            document: .read(
                "WaybillDescriptionTests/OpenAPI/OpenAPITests",
                "A document has the scheme of a credential but no secret"
            ),
            mock: .unchecked,
            comparison: .read(
                "WaybillDescriptionTests/Comparison/DocumentMutationTests",
                "Each breaking change to a document is found, unless it is documented as not compared"
            ),
            drift: .ofRequest,
            recording: .hidden
        ),
        Row(
            "Signed",
            document: .unlistedSignature,
            mock: .unchecked,
            comparison: .unlistedSignature,
            drift: .ofRequest,
            recording: .sentRequest
        ),
        Row(
            "Cookies",
            document: .notRead("The document has no cookies, because responses set them."),
            mock: .unchecked,
            comparison: .read(
                "WaybillDescriptionTests/Readings/ClauseReadingTests",
                "A cookie jar may contain a cookie that the document requires"
            ),
            drift: .ofRequest,
            recording: .read(
                "WaybillTestingTests/Recording/RecordingCredentialTests",
                "A credential appears in no exchange of the file, before or after the one that reveals it"
            )
        ),
        Row(
            "Secret",
            document: .read(
                "WaybillDescriptionTests/OpenAPI/SecretExampleTests",
                "The examples of a document contain the values of a call except its secrets"
            ),
            mock: .notRead("A secret is redacted in descriptions, but not in messages."),
            comparison: .notRead(
                "A secret is removed from examples, and the comparison does not read examples."
            ),
            drift: .notRead("A report has no values that could be secret."),
            recording: .hidden
        ),
    ]
}

// Cells shared by several request clauses.
nonisolated extension ReadingTable.Cell {
    fileprivate static let undated = Self.notRead("Entities have a tag, but no modification date.")

    fileprivate static let named = Self.read(
        "WaybillDescriptionTests/Readings/ClauseReadingTests",
        "Drift in a response with a declared success status is reported under the call's name"
    )

    fileprivate static let sentRequest = Self.read(
        "WaybillDescriptionTests/Readings/ClauseReadingTests",
        "A recording has a call's name as its template, and no signature"
    )

    fileprivate static let generatedPatch = Self.notRead("A patch of a resource is a value of its type `Patch`.")

    fileprivate static let unlistedCoding = Self.notRead("OpenAPI does not list the content codings of a request.")

    fileprivate static let unlistedSignature = Self.notRead(
        "A signature is made when the request is sent, and OpenAPI has no scheme for it."
    )

    fileprivate static let oneRequest = Self.notRead(
        "The document has one request, without the fields of an upload and the requests that continue it."
    )

    fileprivate static let unchecked = Self.notRead(
        "Credentials, signatures and cookies are not checked, no nonce is demanded, and no cookie is set."
    )

    fileprivate static let hidden = Self.read(
        "WaybillTestingTests/Recording/RecordingSecretTests",
        "A recording has no secrets, the recorded call gets the server's, and a replay with other secrets matches"
    )
}
