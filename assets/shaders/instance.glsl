// One instance of a mesh: its matrix row by row (rotation times scale, then place), its colour and hatch.
layout(location = 2) in vec4 row_x;
layout(location = 3) in vec4 row_y;
layout(location = 4) in vec4 row_z;
layout(location = 5) in vec4 paint;

#ifdef BALL
// The mesh is half a ball with its pole at +z: turned toward the viewer it hides that the other half is missing.
uniform vec4 viewer;        // place (w = 1) or the direction toward it (w = 0)

mat3 toward_viewer() {
    vec3 pole = normalize(viewer.xyz - viewer.w * vec3(row_x.w, row_y.w, row_z.w));
    vec3 across = normalize(cross(pole, abs(pole.z) < 0.9 ? vec3(0.0, 0.0, 1.0) : vec3(1.0, 0.0, 0.0)));
    return mat3(across, cross(pole, across), pole);
}

vec3 world_point(vec3 p) {
    float radius = length(vec3(row_x.x, row_y.x, row_z.x));
    return vec3(row_x.w, row_y.w, row_z.w) + radius * (toward_viewer() * p);
}

vec3 world_normal(vec3 n) {
    return toward_viewer() * n;
}
#else
vec3 world_point(vec3 p) {
    vec4 q = vec4(p, 1.0);
    return vec3(dot(row_x, q), dot(row_y, q), dot(row_z, q));
}

// The columns are orthogonal, so the inverse transpose only divides each by its squared length.
vec3 world_normal(vec3 n) {
    mat3 m = transpose(mat3(row_x.xyz, row_y.xyz, row_z.xyz));
    vec3 scale = vec3(dot(m[0], m[0]), dot(m[1], m[1]), dot(m[2], m[2]));
    return m * (n / max(scale, vec3(1e-20)));
}
#endif
