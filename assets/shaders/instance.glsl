// One instance of a mesh: its matrix row by row (rotation times scale, then place), its colour and hatch.
layout(location = 2) in vec4 row_x;
layout(location = 3) in vec4 row_y;
layout(location = 4) in vec4 row_z;
layout(location = 5) in vec4 paint;

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
